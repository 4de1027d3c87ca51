"""A dense network and a batch of random numbers with random labels: enough for what does not depend on the data."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from suites.workloads.layers import CLASSES, dense, normal


@dataclass(frozen=True)
class Labelled:
    """A model, and ``x`` of (rows, width) with one label per row."""

    model: nn.Sequential
    x: Tensor
    labels: Tensor


def labelled(rows: int, width: int, depth: int, device: torch.device) -> Labelled:
    """A random model of ``depth`` hidden layers and a random batch."""
    model, x = dense(width, depth).to(device), normal(rows, width, device=device)
    return Labelled(model, x, torch.randint(CLASSES, (rows,)).to(device))


def update(optimizer: torch.optim.Optimizer, model: nn.Module, x: Tensor, labels: Tensor) -> Tensor:
    """One step of training; its loss, without history."""
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), labels)
    loss.backward()
    optimizer.step()
    return loss.detach()
