"""A classifier that trains for some steps under a schedule, with a loss that is summed over the batch or its mean."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor, nn

from bench import Setup
from suites.workloads.half_step import half_step


@dataclass(frozen=True)
class Loop:
    """A model, a batch, how its loss is reduced, and how many steps it trains for."""

    model: nn.Module
    x: Tensor
    labels: Tensor
    reduction: str
    steps: int


def classifier(setup: Setup) -> Loop:
    """A random classifier and a random batch; the point is the reduction."""
    half = half_step(setup)
    return Loop(half.model, half.x, half.labels, setup.point(str), setup.pick(full=32, smoke=12))
