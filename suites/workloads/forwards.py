"""A forward pass that names its device in one place or another."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from bench import Setup
from suites.workloads.layers import dense


@dataclass(frozen=True)
class Forward:
    """A model, a batch, the model's weights in a file, and where the device is named."""

    model: nn.Module
    x: Tensor
    weights: Path
    place: str


def forward(setup: Setup) -> Forward:
    """A random model and batch on the CPU; the point is the place."""
    torch.manual_seed(setup.seed)
    width = setup.pick(full=64, smoke=8)
    model, path = dense(width, depth=1), setup.folder / "weights.pth"
    torch.save(model.state_dict(), path)
    return Forward(model, torch.randn(4, width), path, setup.point(str))
