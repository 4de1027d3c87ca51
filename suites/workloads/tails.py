"""A model with one weight per batch, whose gradient is that batch's share alone: so an update tells what is in it."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from bench import Setup
from suites.workloads.compare import relative_error

K = 4
EPOCHS = 2


@dataclass(frozen=True)
class Epoch:
    """An epoch's batches: row ``i`` is 1 for weight ``i`` and 0 for all others."""

    batches: Tensor

    def divisor(self, i: int, tail_by_its_length: bool) -> int:
        """What the loss of batch ``i`` is divided by: ``K``, or in the tail its own length if so wished."""
        tail = len(self.batches) % K
        return tail if tail_by_its_length and i >= len(self.batches) - tail else K


@dataclass
class Updates:
    """What was in the updates: how many there were, batches that leaked into a later epoch's, or missed their own."""

    made: int = 0
    leaked: int = 0
    left_out: int = 0
    error: float = 0.0

    def keep(self, gradient: Tensor, batches: Tensor) -> None:
        """Look at an update that should be the mean of these batches."""
        self.made += 1
        self.leaked += int((gradient != 0).sum()) - len(batches)
        self.error = max(self.error, relative_error(gradient, batches.mean(0)))


def epoch(setup: Setup) -> Epoch:
    """As many batches as the point says."""
    return Epoch(torch.eye(setup.point(int)))


def accumulate(
    e: Epoch, step_on_the_tail: bool = False, tail_by_its_length: bool = False, clear_each_epoch: bool = False
) -> Updates:
    """Epochs of accumulation over ``K`` batches: without options, the memory-and-loop guide's loop."""
    weights = torch.zeros(len(e.batches), requires_grad=True)
    optimizer = torch.optim.SGD([weights], lr=1.0)
    found = Updates()
    for _ in range(EPOCHS):
        if clear_each_epoch:
            optimizer.zero_grad()
        waiting = 0
        for i, batch in enumerate(e.batches):
            (weights @ batch / e.divisor(i, tail_by_its_length)).backward()
            waiting += 1
            if (i + 1) % K == 0 or (step_on_the_tail and i + 1 == len(e.batches)):
                assert weights.grad is not None
                found.keep(weights.grad, e.batches[i + 1 - waiting : i + 1])
                optimizer.step()
                optimizer.zero_grad()
                waiting = 0
        found.left_out += waiting
    return found
