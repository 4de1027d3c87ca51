"""Under accumulation BatchNorm is said to see the micro-batch's statistics, so the result is not the large batch's.

128 digits go through a small convolutional network, whole and in k parts whose gradients add up; the error is that of
their sum against the gradient of the whole. The anti-pattern normalises with BatchNorm, the recommended arm with
GroupNorm, and the variant with a BatchNorm that is frozen at the whole batch's statistics.

Theory: GroupNorm and a frozen BatchNorm treat each sample by itself, so a sum over samples may be split anywhere.
BatchNorm's mean and variance of n samples scatter by about 1/√n around the whole batch's, and so does the gradient.
"""

from bench import Axis, Needs, Pair, Setup, Step, error, may_differ
from suites.workloads.compare import error_of
from suites.workloads.normalised import Split, accumulated, frozen, split_digits


def digits(setup: Setup) -> Split:
    return split_digits(setup, rows=setup.pick(full=128, smoke=32))


def batch_norm(s: Split) -> Step:
    return lambda: accumulated(s.batch_norm, s)


def group_norm(s: Split) -> Step:
    return lambda: accumulated(s.group_norm, s)


def frozen_batch_norm(s: Split) -> Step:
    return lambda: accumulated(frozen(s.batch_norm, s.x), s)


PAIR = Pair(
    claims=("accumulate-batchnorm",),
    inputs=digits,
    anti_pattern=batch_norm,
    recommended=group_norm,
    variants={"frozen_batch_norm": frozen_batch_norm},
    same=may_differ("the gradient", because="the arms normalise differently; each is held against its own whole batch"),
    metrics=(error(error_of("gradient"), "gradient error"),),
    axis=Axis("parts", full=(2, 8, 32), outside=(1,)),
    needs=Needs(cpu=True, packages=("sklearn",)),
)
