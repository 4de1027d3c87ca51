"""A batch that goes through forward and backward in parts, whose gradients add up to its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import Setup, Step
from suites.workloads.layers import CLASSES, dense, first_bias_gradient, normal, true_first_bias_gradient


@dataclass(frozen=True)
class Batch:
    """A model, a batch to be split into ``parts``, part of its gradient in float64, and whether Adam updates."""

    model: nn.Sequential
    x: Tensor
    labels: Tensor
    true_gradient: Tensor
    parts: int
    adam: bool


def random_batch(setup: Setup, rows: int, width: int, adam: bool = False) -> Batch:
    """A random model and batch; the point is the number of parts."""
    torch.manual_seed(setup.seed)
    model = dense(width, depth=6).to(setup.device)
    x, labels = normal(rows, width, device=setup.device), torch.randint(CLASSES, (rows,)).to(setup.device)
    return Batch(model, x, labels, true_first_bias_gradient(model, x, labels), setup.point(int), adam)


def backward_in(b: Batch, parts: int) -> Step:
    """Forward and backward of each part, its loss divided by the number of parts; then Adam's update, if it is Adam."""
    update = _adams_update(b.model) if b.adam else None

    def step() -> dict[str, object]:
        b.model.zero_grad()
        for x, labels in zip(b.x.chunk(parts), b.labels.chunk(parts), strict=True):
            (F.cross_entropy(b.model(x), labels) / parts).backward()
        if update:
            update()
        return {"gradient": first_bias_gradient(b.model), "true gradient": b.true_gradient, "samples": len(b.x)}

    return step


def _adams_update(model: nn.Module) -> Callable[[], object]:
    # At a rate of 0 it costs what it always does, and every step starts from the same weights.
    return torch.optim.Adam(model.parameters(), lr=0.0).step
