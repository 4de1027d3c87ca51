"""Digits trained for a number of epochs in batches of one size."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from bench import Setup, Step
from suites.workloads.digits import Digits, load_digits, perceptron
from suites.workloads.labelled import update

SMALL = 16


@dataclass(frozen=True)
class Epochs:
    """The digits, where they are trained on, for how many epochs, and the larger batch."""

    digits: Digits
    device: torch.device
    seed: int
    epochs: int
    large: int


def digits_by_batch(setup: Setup) -> Epochs:
    """Ten epochs; the larger batch is the point."""
    digits = load_digits(setup.seed)
    on_device = Digits(*(t.to(setup.device) for t in (digits.train_x, digits.train_y, digits.test_x, digits.test_y)))
    return Epochs(on_device, setup.device, setup.seed, setup.pick(full=10, smoke=1), setup.point(int))


def trained_in(e: Epochs, batch: int, rate: float) -> Step:
    """Train a new model in batches of this size; its answers to the test images."""

    def step() -> dict[str, object]:
        torch.manual_seed(e.seed)
        model = perceptron(64).to(e.device)
        optimizer = torch.optim.SGD(model.parameters(), lr=rate)
        for _ in range(e.epochs):
            for rows in torch.randperm(len(e.digits.train_x)).to(e.device).split(batch):
                update(optimizer, model, e.digits.train_x[rows], e.digits.train_y[rows])
        with torch.no_grad():
            logits = model(e.digits.test_x)
        return {"logits": logits, "labels": e.digits.test_y, "samples": e.epochs * len(e.digits.train_x)}

    return step
