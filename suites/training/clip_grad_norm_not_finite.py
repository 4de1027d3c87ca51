"""Clipping the gradient's norm is said to keep training from exploding; here one number of it is not finite already.

The anti-pattern updates with the gradient as it is, the recommended arm clips it to 1.0, and the variant looks at the
norm before it updates. What counts is how many weights are not finite afterwards.

Theory: a norm of NaN makes every gradient NaN, so that one bad number is the end of all weights, without a word, since
error_if_nonfinite is off (PyTorch's docs on clip_grad_norm_).
"""

from torch import Tensor

from bench import Axis, Pair, Step, count, may_differ
from suites.workloads.bad_gradient import one_bad_number, weights_lost
from suites.workloads.bounds import clip_to_one, no_clipping


def unclipped(gradients: list[Tensor]) -> Step:
    return lambda: weights_lost(gradients, no_clipping)


def clipped(gradients: list[Tensor]) -> Step:
    return lambda: weights_lost(gradients, clip_to_one)


def skipped_if_not_finite(gradients: list[Tensor]) -> Step:
    return lambda: weights_lost(gradients, clip_to_one, skip_not_finite=True)


PAIR = Pair(
    claims=("clip-grad-norm",),
    inputs=one_bad_number,
    anti_pattern=unclipped,
    recommended=clipped,
    variants={"skipped_if_not_finite": skipped_if_not_finite},
    same=may_differ("the weights", because="how many are lost is what is counted"),
    metrics=(count(lambda lost: lost, "weights lost"),),
    axis=Axis("number", outside=("inf", "nan")),
)
