"""A perceptron that learns handwritten digits in a few steps, in float32 or in mixed precision."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import Setup
from suites.workloads.digits import Digits, load_digits, perceptron
from suites.workloads.mixed_precision import autocast, scaler

BATCH = 128


@dataclass(frozen=True)
class Lesson:
    """The digits, an untrained model, and for how many steps it learns."""

    digits: Digits
    model: nn.Module
    steps: int


def lesson(setup: Setup) -> Lesson:
    """A perceptron of the point's width; 20 steps bring it to some nine digits in ten."""
    torch.manual_seed(setup.seed)
    model = perceptron(setup.point(int)).to(setup.device)
    d = load_digits(setup.seed)
    digits = Digits(*(t.to(setup.device) for t in (d.train_x, d.train_y, d.test_x, d.test_y)))
    return Lesson(digits, model, setup.pick(full=20, smoke=2))


def learn(one: Lesson, kind: torch.dtype | None) -> dict[str, Tensor]:
    """Train a copy of the model with Adam; what it then says of the test digits in float32, and their classes."""
    digits, model = one.digits, copy.deepcopy(one.model)
    optimizer, scaling = torch.optim.Adam(model.parameters(), lr=1e-2), scaler(digits.train_x.device, kind)
    for step in range(one.steps):
        first = step * BATCH % (len(digits.train_x) - BATCH)
        x, labels = digits.train_x[first : first + BATCH], digits.train_y[first : first + BATCH]
        optimizer.zero_grad()
        with autocast(x.device, kind):
            loss = F.cross_entropy(model(x), labels)
        scaling.scale(loss).backward()
        scaling.step(optimizer)
        scaling.update()
    with torch.no_grad():
        return {"logits": model(digits.test_x), "labels": digits.test_y}
