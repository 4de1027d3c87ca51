"""A layer that has a gradient in the first update and none in those that follow."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from bench import Setup
from suites.workloads.compare import flat
from suites.workloads.layers import normal

UPDATES = 9


@dataclass(frozen=True)
class Unused:
    """The layer, the batch of its one use, the optimizer's settings, and the weights after updates with zeros."""

    layer: nn.Linear
    x: Tensor
    settings: dict[str, float]
    true_weights: Tensor


def unused_layer(setup: Setup) -> Unused:
    """A random layer, with plain SGD and momentum at the point ``momentum``, else with weight decay."""
    torch.manual_seed(setup.seed)
    layer, x = nn.Linear(16, 16).to(setup.device), normal(8, 16, device=setup.device)
    settings = {"lr": 0.1, **({"momentum": 0.9} if setup.value == "momentum" else {"weight_decay": 0.1})}
    return Unused(layer, x, settings, _weights_after(layer, x, settings, set_to_none=False))


def updates(u: Unused, set_to_none: bool) -> dict[str, Tensor]:
    """The layer's weights after the update that it is used in and ``UPDATES`` more."""
    return {
        "weights": _weights_after(u.layer, u.x, u.settings, set_to_none),
        "true weights": u.true_weights,
    }


def _weights_after(start: nn.Linear, x: Tensor, settings: dict[str, float], set_to_none: bool) -> Tensor:
    layer = copy.deepcopy(start)
    optimizer = torch.optim.SGD(layer.parameters(), **settings)
    layer(x).square().mean().backward()
    for _ in range(1 + UPDATES):
        optimizer.step()
        optimizer.zero_grad(set_to_none=set_to_none)
    return flat(layer.parameters())
