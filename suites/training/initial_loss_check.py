"""Checking the initial weights and the range of the outputs before training is said to show faults early.

The anti-pattern trains a classifier of digits as it was initialised. The recommended arm looks at the loss of the first
batch, which should be that of a guess, ln(10) = 2.30; when it is off by a tenth, the head's weights are scaled so that
the logits spread by 0.1. What counts is the relative distance from ln(10), and the steps until 90 % of the test digits
are right.

Theory: logits of spread s give about ln(10) + s²/2, so a small head begins at a guess. PyTorch's own layers do already,
and there the check finds nothing. Weights from a unit normal, or pixels up to 255, make confident wrong guesses that
the first steps must unlearn; the head's scale mends the loss, and not what lies before the head. Weights that are all
zero pass the check exactly, and never train.
"""

import copy

import torch
from torch import nn

from bench import Axis, Needs, Pair, Step, count, error, may_differ
from suites.workloads.initialised import Beginning, beginning, distance_from_a_guess, first_loss, steps_to_target

TOLERANCE = 0.1
SPREAD = 0.1


def trained_from(b: Beginning, model: nn.Module) -> dict[str, float]:
    loss, _ = first_loss(model, b.digits)
    return {"distance": distance_from_a_guess(loss), "steps": steps_to_target(b, model)}


def checked(b: Beginning) -> nn.Module:
    model = copy.deepcopy(b.model)
    loss, logits = first_loss(model, b.digits)
    head = model[-1]
    if distance_from_a_guess(loss) > TOLERANCE and isinstance(head, nn.Linear):
        with torch.no_grad():
            head.weight.mul_(SPREAD / logits.std())
            head.bias.zero_()
    return model


def as_initialised(b: Beginning) -> Step:
    return lambda: trained_from(b, b.model)


def check_first(b: Beginning) -> Step:
    return lambda: trained_from(b, checked(b))


PAIR = Pair(
    claims=("initial-loss-check",),
    inputs=beginning,
    anti_pattern=as_initialised,
    recommended=check_first,
    same=may_differ("the initial loss", because="mending it is what the check is for"),
    metrics=(
        error(lambda r: r["distance"], "initial loss error", zone=0.05),
        count(lambda r: r["steps"], "steps to target"),
    ),
    axis=Axis("weights", full=("torch-default", "unit-normal", "raw-pixels"), outside=("all-zero",)),
    seeds=10,
    needs=Needs(cpu=True, packages=("sklearn",)),
)
