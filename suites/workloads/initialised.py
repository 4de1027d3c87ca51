"""A classifier of digits before its first step: how far its loss is from a guess, and how fast it learns from there."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import Setup
from suites.workloads.digits import CLASSES, Digits, load_digits, perceptron

BATCH = 64
LOOK_EVERY = 5
TARGET = 0.9
GUESS = math.log(CLASSES)


@dataclass(frozen=True)
class Beginning:
    """A model as it was initialised, digits, how many steps it is given, and the seed of its batches."""

    model: nn.Sequential
    digits: Digits
    steps: int
    seed: int


def beginning(setup: Setup) -> Beginning:
    """A perceptron initialised, or fed, as the point says."""
    torch.manual_seed(setup.seed)
    case, digits = setup.point(str), load_digits(setup.seed)
    model = perceptron(setup.pick(full=64, smoke=16))
    with torch.no_grad():
        for name, p in model.named_parameters():
            if case == "unit-normal":
                p.copy_(torch.zeros_like(p) if "bias" in name else torch.randn_like(p))
            if case == "all-zero":
                p.zero_()
    if case == "raw-pixels":
        digits = Digits(digits.train_x * 255, digits.train_y, digits.test_x * 255, digits.test_y)
    return Beginning(model, digits, setup.pick(full=200, smoke=10), setup.seed)


def first_loss(model: nn.Module, digits: Digits) -> tuple[float, Tensor]:
    """The loss of the first batch before any step, and its logits."""
    with torch.no_grad():
        logits = model(digits.train_x[:BATCH])
        return float(F.cross_entropy(logits, digits.train_y[:BATCH])), logits


def distance_from_a_guess(loss: float) -> float:
    """How far a loss is from that of a guess among all classes, relative to it."""
    return abs(loss - GUESS) / GUESS


def steps_to_target(b: Beginning, start: nn.Module) -> int:
    """SGD steps from ``start`` until nine of ten test digits are right, looked at every few; all steps if never."""
    model, generator = copy.deepcopy(start), torch.Generator().manual_seed(b.seed)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for step in range(1, b.steps + 1):
        rows = torch.randint(len(b.digits.train_x), (BATCH,), generator=generator)
        optimizer.zero_grad()
        F.cross_entropy(model(b.digits.train_x[rows]), b.digits.train_y[rows]).backward()
        optimizer.step()
        if step % LOOK_EVERY == 0 and accuracy_of(model, b.digits) >= TARGET:
            return step
    return b.steps


def accuracy_of(model: nn.Module, digits: Digits) -> float:
    """The share of the test digits that the model gets right."""
    with torch.no_grad():
        return float((model(digits.test_x).argmax(1) == digits.test_y).float().mean())
