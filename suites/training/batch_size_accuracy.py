"""Where the GPU is the bottleneck, a larger batch is said to help; here is what it does to what is learned.

A network trains on digits for ten epochs and is tested on others: in small batches, in larger ones, and in larger ones
at a rate that is raised with the batch.

Theory: the same epochs are fewer updates, so at the same rate the model has learned less.
"""

from bench import Axis, Needs, Pair, Step, accuracy, may_differ, throughput
from suites.workloads.batches import SMALL, Epochs, digits_by_batch, trained_in
from suites.workloads.digits import answers_in, share_right

RATE = 0.1


def small_batches(e: Epochs) -> Step:
    return trained_in(e, SMALL, RATE)


def larger_batches(e: Epochs) -> Step:
    return trained_in(e, e.large, RATE)


def at_a_larger_rate_too(e: Epochs) -> Step:
    return trained_in(e, e.large, RATE * e.large / SMALL)


PAIR = Pair(
    claims=("batch-size",),
    inputs=digits_by_batch,
    anti_pattern=small_batches,
    recommended=larger_batches,
    variants={"at_a_larger_rate_too": at_a_larger_rate_too},
    same=may_differ("what is learned", because="the same epochs are fewer updates"),
    metrics=(throughput(lambda r: r["samples"], "samples per second"), accuracy(share_right, of=answers_in)),
    axis=Axis("batch", outside=(64, 512)),
    needs=Needs(packages=("sklearn",)),
)
