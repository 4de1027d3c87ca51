"""A training that stops every few steps to save its model and optimizer."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from bench import Setup
from suites.workloads.layers import CLASSES, dense, normal


@dataclass(frozen=True)
class Training:
    """A model, a batch, the steps between two saves, and the folder."""

    model: nn.Sequential
    x: Tensor
    labels: Tensor
    every: int
    folder: Path


def training(setup: Setup) -> Training:
    """A random network and batch; the point is the number of steps between two saves."""
    torch.manual_seed(setup.seed)
    rows, width = setup.pick(full=16, smoke=4), setup.pick(full=512, smoke=8)
    labels = torch.randint(CLASSES, (rows,))
    return Training(dense(width, 4), normal(rows, width, device=setup.device), labels, setup.point(int), setup.folder)
