"""Accumulating over micro-batches is said to give the gradient of a large batch in a small batch's memory.

The anti-pattern runs the whole batch through forward and backward, the recommended arm does so for k parts of it, one
after the other, and divides each loss by k. Both come to the same gradient.

Theory: what shrinks is what each layer keeps for its backward, not the weights and gradients, so the gain levels off as
k grows. Time has nothing to gain: the work is the same, in smaller pieces.
"""

from bench import AsWritten, Axis, Pair, Setup, Step, error, peak_memory, throughput, time, within
from suites.workloads.compare import error_of, in_part
from suites.workloads.in_parts import Batch, backward_in, random_batch
from suites.workloads.loops import guide_accumulation


def batch(setup: Setup) -> Batch:
    rows, width = setup.pick(full=2048, smoke=16, cuda=65536), setup.pick(full=128, smoke=8, cuda=512)
    return random_batch(setup, rows, width)


def one_big_batch(b: Batch) -> Step:
    return backward_in(b, parts=1)


def micro_batches(b: Batch) -> Step:
    return backward_in(b, parts=b.parts)


PAIR = Pair(
    claims=("accumulate-for-memory",),
    inputs=batch,
    anti_pattern=one_big_batch,
    recommended=micro_batches,
    same=in_part("gradient", within(rtol=1e-3, atol=1e-6)),
    metrics=(
        peak_memory,
        time,
        throughput(lambda r: r["samples"], "samples per second"),
        error(error_of("gradient"), "gradient error"),
    ),
    axis=Axis("parts", full=(2, 4, 16), quick=(4, 16), smoke=(4,)),
)
AS_WRITTEN = AsWritten(claim="accumulate-for-memory", where="G 3.3", usage=guide_accumulation)
