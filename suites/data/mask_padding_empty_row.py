"""Padding is said to be counted by attention unless a mask says what is real; a row without anything real may be NaN.

One sequence of a padded batch is empty, so that its row is fully masked. The anti-pattern attends to every position
alike, the recommended arm only to the real ones. The error is the output's at real positions against each sequence run
alone; beside it stands how much of the output is finite.

Theory: a softmax over nothing but -inf is NaN. scaled_dot_product_attention() gives 0 for it, and so does torch's
encoder layer in training, but not the faster code that the same layer takes in inference.
"""

import torch

from bench import Axis, Pair, Setup, Step, error, may_differ, share
from suites.workloads.compare import error_of
from suites.workloads.empty_rows import WithEmpty, beside_alone, with_empty


def one_empty(setup: Setup) -> WithEmpty:
    torch.manual_seed(setup.seed)
    return with_empty(setup.pick(full=32, smoke=8), setup.point(str), setup.device)


def attend_to_all(w: WithEmpty) -> Step:
    return lambda: beside_alone(w, torch.ones_like(w.real))


def attend_to_the_real(w: WithEmpty) -> Step:
    return lambda: beside_alone(w, w.real)


PAIR = Pair(
    claims=("mask-padding",),
    inputs=one_empty,
    anti_pattern=attend_to_all,
    recommended=attend_to_the_real,
    same=may_differ("the output", because="counting the padding is the fault that is measured"),
    metrics=(
        error(error_of("output"), "output error"),
        share(lambda r: r["finite"], "finite share of the output", better="higher"),
    ),
    axis=Axis("attention", outside=("fused-attention", "own-softmax", "layer-training", "layer-inference")),
)
