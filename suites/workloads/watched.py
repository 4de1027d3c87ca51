"""A short training with somebody watching: what is called after every step is what the monitoring pairs differ in."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import Setup
from suites.workloads.compare import flat
from suites.workloads.layers import CLASSES, dense, normal

BATCHES = 20
RATE = 0.01

Watch = Callable[[int, nn.Module, Tensor], object]


@dataclass(frozen=True)
class Training:
    """A model, the batches it is trained on, and a folder for what is written meanwhile."""

    model: nn.Sequential
    batches: list[tuple[Tensor, Tensor]]
    folder: Path


def training(setup: Setup) -> Training:
    """A deep network (18 parameters), whose steps are as long as the point's rows make them."""
    torch.manual_seed(setup.seed)
    rows, width = setup.point(int), setup.pick(full=64, smoke=8, cuda=1024)
    model = dense(width, depth=8).to(setup.device)
    batches = [
        (normal(rows, width, device=setup.device), torch.randint(CLASSES, (rows,)).to(setup.device))
        for _ in range(BATCHES)
    ]
    return Training(model, batches, setup.folder)


def trained(t: Training, watch: Watch) -> Tensor:
    """The weights after one pass; ``watch`` gets each step's number, the model with its gradients, and the loss."""
    model = copy.deepcopy(t.model)
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
    for number, (x, y) in enumerate(t.batches):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        watch(number, model, loss.detach())
    return flat(model.parameters())


def nothing(number: int, model: nn.Module, loss: Tensor) -> None:
    """Watches nothing."""
