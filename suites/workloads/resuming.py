"""A training that is stopped half-way and goes on from a file, beside the same training without a stop."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR, LRScheduler

from suites.workloads.compare import flat
from suites.workloads.digits import CLASSES, PIXELS, Digits

BATCH = 64
WIDTH = 64


@dataclass
class Training:
    """All that a training is made of. Batches follow from the step's number, so no sampler has to be saved."""

    digits: Digits
    model: nn.Module
    optimizer: torch.optim.Optimizer
    scheduler: LRScheduler
    step: int = 0

    def run(self, steps: int) -> list[float]:
        """Train for so many steps; their losses."""
        return [self._one() for _ in range(steps)]

    def state(self) -> dict[str, Any]:
        """What the document's checkpoint holds, with the step in the epoch's place, and torch's random state."""
        return {
            "step": self.step,
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "scheduler": self.scheduler.state_dict(),
            "random": torch.get_rng_state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from those parts of a state that are there."""
        self.step = state["step"]
        for part in ("model", "optimizer", "scheduler"):
            if part in state:
                getattr(self, part).load_state_dict(state[part])
        if "random" in state:
            torch.set_rng_state(state["random"])

    def _one(self) -> float:
        rows = torch.arange(self.step * BATCH, (self.step + 1) * BATCH) % len(self.digits.train_x)
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(self.digits.train_x[rows]), self.digits.train_y[rows])
        loss.backward()
        self.optimizer.step()
        self.scheduler.step()
        self.step += 1
        return float(loss.detach())


def begin(digits: Digits, recipe: str, steps: int, seed: int) -> Training:
    """A new training: ``momentum``, ``adam`` or ``adam-dropout`` under a cosine schedule, or ``plain-sgd`` without."""
    torch.manual_seed(seed)
    dropout = [nn.Dropout(0.2)] if "dropout" in recipe else []
    model = nn.Sequential(nn.Linear(PIXELS, WIDTH), nn.ReLU(), *dropout, nn.Linear(WIDTH, CLASSES))
    optimizer: torch.optim.Optimizer
    if recipe == "plain-sgd":
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        return Training(digits, model, optimizer, LambdaLR(optimizer, lambda _: 1.0))
    if recipe == "momentum":
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    else:
        optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    return Training(digits, model, optimizer, CosineAnnealingLR(optimizer, T_max=steps))


@dataclass(frozen=True)
class Stop:
    """A recipe, how long it trains, and where the file goes; it stops half-way."""

    digits: Digits
    recipe: str
    steps: int
    seed: int
    path: Path

    def resumed(self, parts: Set[str]) -> dict[str, object]:
        """The weights after going on from ``parts`` of the state, those without a stop, and the loss's largest rise."""
        half = self.steps // 2
        unstopped = begin(self.digits, self.recipe, self.steps, self.seed)
        unstopped.run(half)
        torch.save({k: v for k, v in unstopped.state().items() if k in parts}, self.path)
        true_losses = unstopped.run(self.steps - half)

        resumed = begin(self.digits, self.recipe, self.steps, self.seed + 1000)
        resumed.restore(torch.load(self.path, weights_only=True))
        losses = resumed.run(self.steps - half)
        rise = max(a - b for a, b in zip(losses, true_losses, strict=True))
        weights, true_weights = (flat(t.model.parameters()) for t in (resumed, unstopped))
        return {"weights": weights, "true weights": true_weights, "jump": rise}
