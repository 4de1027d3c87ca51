"""A training that is stopped and goes on from a file, beside the same training without a stop."""

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
EPOCHS = 4


@dataclass
class Training:
    """All that a training is made of; ``batches`` is the length of an epoch, ``half`` whether it runs in float16."""

    digits: Digits
    model: nn.Module
    optimizer: torch.optim.Optimizer
    scheduler: LRScheduler
    scaler: torch.amp.GradScaler
    half: bool
    batches: int
    step: int = 0

    def run(self, steps: int) -> list[float]:
        """Train for so many steps; their losses."""
        return [self._one() for _ in range(steps)]

    def state(self) -> dict[str, Any]:
        """What the document's checkpoint holds, then the position in the epoch, the random state, the loss's scale."""
        return {
            "epoch": self.step // self.batches,
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "scheduler": self.scheduler.state_dict(),
            "position": self.step % self.batches,
            "random": torch.get_rng_state(),
            "scaler": self.scaler.state_dict(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from those parts of a state that are there; without a position the epoch begins anew."""
        self.step = state["epoch"] * self.batches + state.get("position", 0)
        for part in ("model", "optimizer", "scheduler", "scaler"):
            if part in state:
                getattr(self, part).load_state_dict(state[part])
        if "random" in state:
            torch.set_rng_state(state["random"])

    def _one(self) -> float:
        rows = torch.arange(self.step * BATCH, (self.step + 1) * BATCH) % len(self.digits.train_x)
        self.optimizer.zero_grad()
        with torch.autocast("cpu", torch.float16, enabled=self.half):
            loss = F.cross_entropy(self.model(self.digits.train_x[rows]), self.digits.train_y[rows])
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.scheduler.step()
        self.step += 1
        return float(loss.detach())


def begin(digits: Digits, recipe: str, batches: int, seed: int) -> Training:
    """A new training: ``momentum`` or ``adam`` in its name under a cosine schedule, or ``plain-sgd`` without.

    ``dropout`` and ``half`` in the name add what they say. The loss's scale begins at 2^24, from which it has to come
    down here, as larger trainings have to from GradScaler's own 2^16; at that, nothing overflows in this small one.
    """
    torch.manual_seed(seed)
    dropout = [nn.Dropout(0.2)] if "dropout" in recipe else []
    model = nn.Sequential(nn.Linear(PIXELS, WIDTH), nn.ReLU(), *dropout, nn.Linear(WIDTH, CLASSES))
    optimizer: torch.optim.Optimizer
    if "momentum" in recipe:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    elif "adam" in recipe:
        optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    else:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler: LRScheduler = CosineAnnealingLR(optimizer, T_max=EPOCHS * batches)
    if recipe == "plain-sgd":
        scheduler = LambdaLR(optimizer, lambda _: 1.0)
    half = "half" in recipe
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**24, enabled=half)
    return Training(digits, model, optimizer, scheduler, scaler, half, batches)


@dataclass(frozen=True)
class Stop:
    """A recipe, the batches of an epoch, and where the file goes.

    It trains for four epochs and stops after two, or in the middle of the third where the recipe says ``mid-epoch``.
    """

    digits: Digits
    recipe: str
    batches: int
    seed: int
    path: Path

    def resumed(self, parts: Set[str]) -> dict[str, object]:
        """The weights after going on from ``parts`` of the state, those without a stop, and the loss's largest rise."""
        before = EPOCHS // 2 * self.batches + ("mid-epoch" in self.recipe) * (self.batches // 2)
        after = EPOCHS * self.batches - before
        unstopped = begin(self.digits, self.recipe, self.batches, self.seed)
        unstopped.run(before)
        torch.save({k: v for k, v in unstopped.state().items() if k in parts}, self.path)
        true_losses = unstopped.run(after)

        resumed = begin(self.digits, self.recipe, self.batches, self.seed + 1000)
        resumed.restore(torch.load(self.path, weights_only=True))
        losses = resumed.run(after)
        rise = max(a - b for a, b in zip(losses, true_losses, strict=True))
        weights, true_weights = (flat(t.model.parameters()) for t in (resumed, unstopped))
        return {"weights": weights, "true weights": true_weights, "jump": rise}
