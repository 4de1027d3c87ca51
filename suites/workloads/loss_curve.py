"""Digits trained with plain SGD whose updates add up over micro-batches, beside the same updates from large batches."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
from torch import Tensor

from bench import Setup
from suites.workloads.loops import Task, descended, joined, loss_of, loss_over, moved, task

# The best for the large batches of 0.05, 0.1, 0.2, 0.5, 1, 2 and 4.
RATE = 0.5


@dataclass(frozen=True)
class Curve:
    """What is trained, over how many micro-batches each update adds up, and at which rate."""

    task: Task
    k: int
    rate: float

    def whole(self) -> list[tuple[Tensor, Tensor]]:
        """The micro-batches of each update as one batch."""
        return [joined(self.task.batches[i : i + self.k]) for i in range(0, len(self.task.batches), self.k)]


def curve(setup: Setup) -> Curve:
    """Two or eight micro-batches for each of forty updates; at ``equal-8-low-rate`` the rate is eight times too low."""
    case = setup.point(str)
    k = 2 if case == "equal-2" else 8
    rate = RATE / k if case == "equal-8-low-rate" else RATE
    return Curve(task(setup.seed, batches=k * setup.pick(full=40, smoke=3), rows=16), k, rate)


def train(c: Curve, divisor: int) -> dict[str, object]:
    """Where the weights have moved to and the loss there, each micro-batch's loss divided by ``divisor``."""
    model = copy.deepcopy(c.task.model)
    optimizer = torch.optim.SGD(model.parameters(), lr=c.rate)
    for i, batch in enumerate(c.task.batches):
        (loss_of(model, batch) / divisor).backward()
        if (i + 1) % c.k == 0:
            optimizer.step()
            optimizer.zero_grad()
    as_meant = descended(c.task.model, c.whole(), c.rate)
    return {
        "change": moved(model, c.task.model),
        "true change": moved(as_meant, c.task.model),
        "loss": loss_over(model, c.task.batches),
    }
