"""Learning rate schedules, and beside each the curve that it is meant to give, written down from its formula."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.optim import lr_scheduler
from torch.optim.lr_scheduler import LRScheduler

from bench import Setup

RATE = 0.1
CYCLES = 4


@dataclass(frozen=True)
class Plan:
    """A schedule by name, and how long the training is. Cosine and steps count epochs, the other two batches."""

    schedule: str
    epochs: int
    batches: int

    @property
    def updates(self) -> int:
        """How many updates there are."""
        return self.epochs * self.batches

    def scheduler(self, optimizer: torch.optim.Optimizer) -> LRScheduler:
        """torch's scheduler for it."""
        match self.schedule:
            case "cosine":
                return lr_scheduler.CosineAnnealingLR(optimizer, T_max=self.epochs)
            case "steps":
                return lr_scheduler.StepLR(optimizer, step_size=self.epochs // CYCLES)
            case "warm-restarts":
                return lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=self.updates // CYCLES)
        return lr_scheduler.OneCycleLR(optimizer, max_lr=RATE, total_steps=self.updates, cycle_momentum=False)

    def true_rate(self, update: int) -> float:
        """The rate that update number ``update`` is meant to use."""
        epoch, cycle = update // self.batches, self.updates // CYCLES
        match self.schedule:
            case "cosine":
                return falling(RATE, 0.0, epoch / self.epochs)
            case "steps":
                return RATE * 0.1 ** (epoch // (self.epochs // CYCLES))
            case "warm-restarts":
                return falling(RATE, 0.0, update % cycle / cycle)
        peak = 0.3 * self.updates - 1
        if update <= peak:
            return falling(RATE / 25, RATE, update / peak)
        return falling(RATE, RATE / 25 / 1e4, (update - peak) / (self.updates - 1 - peak))


def plan(setup: Setup) -> Plan:
    """The point's schedule."""
    return Plan(setup.point(str), epochs=setup.pick(full=20, smoke=8), batches=setup.pick(full=25, smoke=5))


def falling(start: float, end: float, share: float) -> float:
    """Half a cosine from ``start`` to ``end``, or up to it."""
    return end + (start - end) * (1 + math.cos(math.pi * share)) / 2


def rates(p: Plan, per_batch: bool = False, before_the_optimizer: bool = False) -> dict[str, Tensor]:
    """The rate that each update used, and the one that it was meant to use."""
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=RATE)
    scheduler = p.scheduler(optimizer)
    used = []
    for update in range(p.updates):
        last = per_batch or update % p.batches == p.batches - 1
        if before_the_optimizer and update % p.batches == 0:
            scheduler.step()
        used.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        if last and not before_the_optimizer:
            scheduler.step()
    meant = [p.true_rate(update) for update in range(p.updates)]
    return {"rates": torch.tensor(used), "true rates": torch.tensor(meant)}
