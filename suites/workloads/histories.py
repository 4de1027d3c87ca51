"""Loops over batches in which something of every loss is kept: evaluation with or without a graph, and training."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import Setup
from suites.workloads.layers import CLASSES, dense, normal

Keep = Callable[[Tensor], Tensor | float]


@dataclass(frozen=True)
class Loop:
    """A model and its batches; whether it is trained, and whether a graph is recorded."""

    model: nn.Sequential
    batches: list[tuple[Tensor, Tensor]]
    trains: bool
    records: bool

    def loaded(self) -> Iterator[tuple[Tensor, Tensor]]:
        """The batches as new tensors, which nobody but the loop holds, as a loader gives them."""
        return ((x.clone(), labels.clone()) for x, labels in self.batches)


def batches(setup: Setup) -> Loop:
    """Random batches for what the point says: ``evaluation``, the same ``-under-no-grad``, or some kind of training."""
    torch.manual_seed(setup.seed)
    kind, number = setup.point(str), setup.pick(full=16, smoke=3, cuda=32)
    rows, width = setup.pick(full=64, smoke=4, cuda=4096), setup.pick(full=128, smoke=8, cuda=1024)
    if kind == "training-short-steps":
        rows, width = setup.pick(full=8, smoke=4), setup.pick(full=32, smoke=8)
    drawn = [(normal(rows, width, device=setup.device), _labels(rows, setup.device)) for _ in range(number)]
    model = dense(width, depth=6).to(setup.device)
    return Loop(model, drawn, trains=kind.startswith("training"), records=not kind.endswith("no-grad"))


def as_it_is(loss: Tensor) -> Tensor:
    """Keep the loss itself, and with it its graph."""
    return loss


class Run:
    """The loop on a copy of its model; a call returns what ``keep`` made of each loss."""

    def __init__(self, loop: Loop, keep: Keep) -> None:
        self.model = copy.deepcopy(loop.model)
        self._loop = loop
        self._keep = keep
        self._optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)

    def __call__(self) -> list[Tensor | float]:
        """Go through all batches once."""
        history = []
        for x, labels in self._loop.loaded():
            with torch.set_grad_enabled(self._loop.records):
                loss = F.cross_entropy(self.model(x), labels)
            if self._loop.trains:
                loss.backward()
                self._optimizer.step()
                self._optimizer.zero_grad()
            history.append(self._keep(loss))
        return history


def values(history: list[Tensor | float]) -> Tensor:
    """The losses as one tensor without history, on the CPU."""
    return torch.stack([torch.as_tensor(loss).detach() for loss in history]).cpu()


def _labels(rows: int, device: torch.device) -> Tensor:
    return torch.randint(CLASSES, (rows,)).to(device)
