"""A small model and batches of digits, for training loops that differ in a line."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import Setup
from suites.workloads.compare import flat
from suites.workloads.digits import load_digits, perceptron

Batch = tuple[Tensor, Tensor]


@dataclass(frozen=True)
class Task:
    """A model before its training, and the batches to train it on, each of images and labels."""

    model: nn.Sequential
    batches: list[Batch]


def task(seed: int, batches: int, rows: int) -> Task:
    """Batches of ``rows`` digits, drawn anew for each."""
    torch.manual_seed(seed)
    digits, model = load_digits(seed), perceptron(32)
    drawn = [torch.randint(len(digits.train_x), (rows,)) for _ in range(batches)]
    return Task(model, [(digits.train_x[i], digits.train_y[i]) for i in drawn])


def loss_of(model: nn.Module, batch: Batch) -> Tensor:
    """The mean cross entropy of a batch."""
    x, y = batch
    return F.cross_entropy(model(x), y)


def gradient_of(model: nn.Module, batch: Batch) -> Tensor:
    """The gradient that a batch has by itself, in one vector; the parameters' ``grad`` stays as it is."""
    return flat(torch.autograd.grad(loss_of(model, batch), list(model.parameters())))


def joined(batches: list[Batch]) -> Batch:
    """Several batches as one."""
    return torch.cat([x for x, _ in batches]), torch.cat([y for _, y in batches])


def loss_over(model: nn.Module, batches: list[Batch]) -> float:
    """The mean loss over all of the batches' samples."""
    with torch.no_grad():
        return float(loss_of(model, joined(batches)))


def descended(start: nn.Module, batches: Iterable[Batch], rate: float) -> nn.Module:
    """A copy of a model after one plain update from each of the batches, what a loop is meant to do."""
    model = copy.deepcopy(start)
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    for batch in batches:
        optimizer.zero_grad()
        loss_of(model, batch).backward()
        optimizer.step()
    return model


def moved(model: nn.Module, start: nn.Module) -> Tensor:
    """How far a model's weights are from where they started, in one vector."""
    return flat(model.parameters()) - flat(start.parameters())


def guide_loop(setup: Setup) -> None:
    """The memory-and-loop guide's order of calls: clear, forward, backward, update."""
    layer = nn.Linear(2, 1).to(setup.device)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    for x in torch.ones(2, 1, 2, device=setup.device):
        optimizer.zero_grad()
        layer(x).sum().backward()
        optimizer.step()


def guide_accumulation(setup: Setup) -> None:
    """The memory-and-loop guide's accumulation: divide by k, update at each k-th batch; the tail is left over."""
    layer, k = nn.Linear(2, 1).to(setup.device), 2
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    optimizer.zero_grad()
    for i, x in enumerate(torch.ones(5, 1, 2, device=setup.device)):
        (layer(x).sum() / k).backward()
        if (i + 1) % k == 0:
            optimizer.step()
            optimizer.zero_grad()
