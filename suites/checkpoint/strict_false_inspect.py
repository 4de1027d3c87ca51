"""Weights under names that do not fit are said to load with strict=False, if both lists that it returns are read.

The anti-pattern loads with strict=False and goes on. The recommended arm looks whether a tensor of the backbone is
missing, finds it among the unexpected ones and loads it under our name. Both then fit a head of their own to 50
labelled digits, with the backbone as it came. Variants: strict=True, and leaving out tensors of the wrong shape.

Theory: strict=False passes over names and says nothing. A prefix before every name, such as a wrapper leaves, is
therefore a load of nothing, which shows only in the accuracy of a random backbone. It passes over names and not over
shapes: a head for other classes under our head's name still raises. Where only the head is foreign, the lists hold
nothing that the backbone lacks.
"""

import copy

from torch import nn

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, accuracy, may_differ, outcome, share
from suites.workloads.foreign_weights import BACKBONE, Transfer, adapted, by_ending, transfer


def unchecked(t: Transfer) -> Step:
    def step() -> dict[str, float]:
        model = copy.deepcopy(t.model)
        model.load_state_dict(t.weights, strict=False)
        return adapted(t, model)

    return step


def checked(t: Transfer) -> Step:
    def step() -> dict[str, float]:
        model = copy.deepcopy(t.model)
        missing, unexpected = model.load_state_dict(t.weights, strict=False)
        if lost := [name for name in missing if name.startswith(BACKBONE)]:
            model.load_state_dict(by_ending(t.weights, lost, unexpected), strict=False)
        return adapted(t, model)

    return step


def strict_true(t: Transfer) -> Step:
    def step() -> dict[str, float]:
        model = copy.deepcopy(t.model)
        model.load_state_dict(t.weights)
        return adapted(t, model)

    return step


def without_wrong_shapes(t: Transfer) -> Step:
    own = t.model.state_dict()
    fitting = {k: v for k, v in t.weights.items() if k not in own or v.shape == own[k].shape}
    return checked(Transfer(t.model, fitting, t.backbone, t.digits))


def as_written(setup: Setup) -> None:
    missing, unexpected = nn.Linear(2, 2).load_state_dict({"fc.weight": nn.Linear(2, 2).weight}, strict=False)
    print("missing:", missing)
    print("unexpected:", unexpected)


PAIR = Pair(
    claims=("strict-false-inspect",),
    inputs=transfer,
    anti_pattern=unchecked,
    recommended=checked,
    variants={"strict_true": strict_true, "without_wrong_shapes": without_wrong_shapes},
    same=may_differ("the weights that arrive", because="a load that brings nothing is the fault that is measured"),
    metrics=(
        share(lambda r: r["arrived"], "share of the backbone loaded", better="higher"),
        accuracy(lambda r: r["accuracy"], of=lambda r: r["answers"]),
        outcome,
    ),
    axis=Axis("names", full=("prefixed", "renamed"), outside=("other-head", "other-classes")),
    needs=Needs(cpu=True, packages=("sklearn",)),
)
AS_WRITTEN = AsWritten(claim="strict-false-inspect", where="G 6.3", usage=as_written)
