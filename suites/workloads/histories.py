"""Loops over batches in which something of every loss is kept: evaluation with or without a graph, and training."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

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


def loop(kind: str, batches: int, rows: int, width: int, device: torch.device) -> Loop:
    """Random batches for ``evaluation``, ``evaluation-under-no-grad`` or some kind of ``training``."""
    data = [(normal(rows, width, device=device), torch.randint(CLASSES, (rows,)).to(device)) for _ in range(batches)]
    model = dense(width, depth=6).to(device)
    return Loop(model, data, trains=kind.startswith("training"), records=not kind.endswith("no-grad"))


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
