"""Accumulating over micro-batches is said to take a small batch's memory; here weights take most of it, not the batch.

A wide network has a small batch and trains with Adam, so that activations are the least of what is in memory. The
anti-pattern runs the whole batch through forward and backward, the recommended arm k parts of it, one after the other.

Theory: with weights, gradients and Adam's two averages to hold, memory is at its highest in the update, when all
activations are gone: nothing is saved. Time has nothing to gain either: the work is the same, in smaller pieces.
"""

from bench import Axis, Pair, Setup, Step, error, peak_memory, throughput, time, within
from suites.workloads.compare import error_of, in_part
from suites.workloads.in_parts import Batch, backward_in, random_batch


def small_batch(setup: Setup) -> Batch:
    rows, width = setup.pick(full=64, smoke=16, cuda=256), setup.pick(full=512, smoke=64, cuda=8192)
    return random_batch(setup, rows, width, adam=True)


def one_batch(b: Batch) -> Step:
    return backward_in(b, parts=1)


def micro_batches(b: Batch) -> Step:
    return backward_in(b, parts=b.parts)


PAIR = Pair(
    claims=("accumulate-for-memory",),
    inputs=small_batch,
    anti_pattern=one_batch,
    recommended=micro_batches,
    same=in_part("gradient", within(rtol=1e-3, atol=1e-6)),
    metrics=(
        peak_memory,
        time,
        throughput(lambda r: r["samples"], "samples per second"),
        error(error_of("gradient"), "gradient error"),
    ),
    axis=Axis("parts", outside=(4,)),
)
