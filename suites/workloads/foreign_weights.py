"""Weights that somebody else trained on all the digits, under names that fit our network or do not.

We have the labels of a few images only: the backbone is taken as it came, and a head of our own is fitted on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import Setup
from suites.workloads.digits import Digits, convolutions, load_digits, trained

LABELLED = 50
FITTING_STEPS = 100
BACKBONE = "backbone."

# What the file calls the backbone and its head. A data-parallel wrapper puts "module." before every name.
NAMES = {
    "prefixed": ("module.backbone.", "module.fc."),
    "renamed": ("encoder.", "fc."),
    "other-head": (BACKBONE, "fc."),
    "other-classes": (BACKBONE, "head."),
}


class Net(nn.Module):
    """A backbone of convolutions and a linear head, called ``backbone`` and ``head``."""

    def __init__(self, width: int) -> None:
        super().__init__()
        layers = convolutions(width)
        self.backbone, self.head = layers[:-1], layers[-1]

    def forward(self, x: Tensor) -> Tensor:
        """Logits (rows, classes) of rows of pixels."""
        found: Tensor = self.head(self.backbone(x))
        return found


@dataclass(frozen=True)
class Transfer:
    """Our network, the file's tensors by its names, those that our backbone should get, and the digits."""

    model: Net
    weights: dict[str, Tensor]
    backbone: dict[str, Tensor]
    digits: Digits


def transfer(setup: Setup) -> Transfer:
    """A new network, and a trained one's weights under the names of the point."""
    width, digits = setup.pick(full=8, smoke=2), load_digits(setup.seed)
    steps = setup.pick(full=300, smoke=5)
    theirs = trained(f"foreign-{width}", lambda: convolutions(width), digits, steps, setup.seed).state_dict()
    head = f"{len(convolutions(width)) - 1}."
    backbone_name, head_name = NAMES[setup.point(str)]
    weights = {}
    for name, tensor in theirs.items():
        is_head = name.startswith(head)
        more_classes = is_head and setup.value == "other-classes"
        own_name = head_name + name.removeprefix(head) if is_head else backbone_name + name
        weights[own_name] = torch.cat([tensor, tensor]) if more_classes else tensor
    torch.manual_seed(setup.seed + 1000)
    return Transfer(Net(width), weights, {k: v for k, v in theirs.items() if not k.startswith(head)}, digits)


def by_ending(weights: dict[str, Tensor], ours: list[str], theirs: list[str]) -> dict[str, Tensor]:
    """Their tensors under our names: to each name of ours belongs the name of theirs that ends most like it."""
    return {name: weights[max(theirs, key=lambda other: _common_ending(name, other))] for name in ours}


def _common_ending(a: str, b: str) -> int:
    both = zip(reversed(a.split(".")), reversed(b.split(".")), strict=False)
    return sum(1 for _ in takewhile(lambda parts: parts[0] == parts[1], both))


def adapted(t: Transfer, model: Net) -> dict[str, float]:
    """The share of the backbone's tensors that arrived, and the test accuracy once the head is fitted in place."""
    own = model.backbone.state_dict()
    arrived = [tensor.equal(t.backbone[name]) for name, tensor in own.items()]
    with torch.no_grad():
        features, test_features = (model.backbone(x) for x in (t.digits.train_x[:LABELLED], t.digits.test_x))
    optimizer = torch.optim.Adam(model.head.parameters(), lr=0.05)
    for _ in range(FITTING_STEPS):
        optimizer.zero_grad()
        F.cross_entropy(model.head(features), t.digits.train_y[:LABELLED]).backward()
        optimizer.step()
    right = model.head(test_features).argmax(1) == t.digits.test_y
    return {"arrived": sum(arrived) / len(arrived), "accuracy": float(right.float().mean()), "answers": len(right)}
