"""A loop that updates at every k-th batch only is said to drop the last batches of an epoch, or to leak them.

Two epochs over ten batches with k = 4: the anti-pattern is the guide's own loop, the recommended arm also steps after
an epoch's last batch, and the variants divide the tail's loss by its own length, or clear before each epoch. Counted
are the updates, the batches that reach an update of the next epoch, and those that are in no update of their own; the
error is that of the update that is furthest from its batches' mean.

Theory: ten batches make two updates and leave two over, which then stand in the next epoch's first update beside its
own four, √(2/4) = 0.71 off. Stepping on them is not all: of two batches divided by four the update is half as long as
their mean. A length that k divides leaves nothing over.
"""

from dataclasses import asdict

from bench import AsWritten, Axis, Needs, Pair, Step, count, error, may_differ
from suites.workloads.loops import guide_accumulation
from suites.workloads.tails import Epoch, accumulate, epoch


def every_kth_batch(e: Epoch) -> Step:
    return lambda: asdict(accumulate(e))


def on_the_tail_too(e: Epoch) -> Step:
    return lambda: asdict(accumulate(e, step_on_the_tail=True))


def tail_by_its_length(e: Epoch) -> Step:
    return lambda: asdict(accumulate(e, step_on_the_tail=True, tail_by_its_length=True))


def cleared_each_epoch(e: Epoch) -> Step:
    return lambda: asdict(accumulate(e, clear_each_epoch=True))


PAIR = Pair(
    claims=("accumulate-tail",),
    inputs=epoch,
    anti_pattern=every_kth_batch,
    recommended=on_the_tail_too,
    variants={"tail_by_its_length": tail_by_its_length, "cleared_each_epoch": cleared_each_epoch},
    same=may_differ("the updates", because="the batches that miss theirs are what is counted"),
    metrics=(
        count(lambda r: r["made"], "updates made", better="higher"),
        count(lambda r: r["leaked"], "batches leaked into the next epoch"),
        count(lambda r: r["left_out"], "batches left out of their epoch"),
        error(lambda r: r["error"], "largest update error"),
    ),
    axis=Axis("batches", full=(10,), outside=(8,)),
    needs=Needs(cpu=True),
)
AS_WRITTEN = AsWritten(
    claim="accumulate-tail", where="G 3.3", usage=guide_accumulation, modern="step after the last batch too"
)
