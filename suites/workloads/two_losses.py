"""A small network with two losses, which share all of their graph, some of it, or nothing."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from bench import Setup
from suites.workloads.layers import normal


@dataclass(frozen=True)
class Batch:
    """A batch, one weight per feature, and how the two losses hang together."""

    x: Tensor
    weight: Tensor
    losses: str


def batch(setup: Setup) -> Batch:
    """Random numbers; the point says how the losses hang together."""
    torch.manual_seed(setup.seed)
    rows, width = setup.pick(full=64, smoke=3), setup.pick(full=64, smoke=4)
    return Batch(normal(rows, width, device=setup.device), normal(width, device=setup.device), setup.point(str))


def two_losses(b: Batch, weight: Tensor) -> tuple[Tensor, Tensor]:
    """Both losses of these weights; at ``the-same-loss`` they are one."""
    first = _hidden(b, weight)
    second = _hidden(b, weight) if b.losses == "nothing-shared" else first
    loss = first.mean()
    return loss, loss if b.losses == "the-same-loss" else second.sum()


def _hidden(b: Batch, weight: Tensor) -> Tensor:
    return b.x + weight if b.losses == "nothing-saved" else torch.tanh(b.x * weight) * weight
