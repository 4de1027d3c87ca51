"""Training programs with one planted bug each, or with none, as somebody sees them who overfits a few samples."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from suites.workloads.broken_layers import Detach, MixSamples
from suites.workloads.digits import CLASSES, PIXELS, Digits

SAMPLES = 8
HIDDEN = 64
RATE = 0.1
NEAR_ZERO = 0.05
IN_A_ROW = 3
# Bugs as they occur, by where they sit. The wrong rates are tenfold: farther off, this test finds all of them.
BUGS = {
    "model": (
        "softmax-before-loss",
        "all-zero-weights",
        "relu-on-logits",
        "detached-trunk",
        "no-nonlinearity",
        "batch-norm-in-eval",
        "samples-mixed",
    ),
    "loop": (
        "no-step",
        "no-zero-grad",
        "zero-grad-after-backward",
        "rate-tenfold-low",
        "rate-tenfold-high",
        "clipped-to-nothing",
        "decay-every-batch",
        "head-not-in-optimizer",
    ),
    "data": (
        "labels-shuffled-each-time",
        "one-image-for-all",
        "augmentation-erases",
        "raw-pixels",
        "labels-shuffled-once",
        "labels-off-by-one",
        "test-digits-in-training",
    ),
}
SOUND = ("plain", "dropout", "weight-decay", "label-smoothing")


@dataclass(frozen=True)
class Overfit:
    """Whether the loss came near zero and stayed there, and how many steps that took or were given."""

    near_zero: bool
    steps: int


def overfit(digits: Digits, program: str, limit: int, seed: int) -> Overfit:
    """Train ``program`` on a few samples for up to ``limit`` steps, as it would train on all."""
    torch.manual_seed(seed)
    model = network(program)
    optimizer = optimizer_of(model, program)
    if program == "head-not-in-optimizer":
        model[-1] = nn.Linear(HIDDEN, CLASSES)
    few_x, few_y = few_samples(digits, program)
    low = 0
    for step in range(1, limit + 1):
        x, y = as_loaded(few_x, few_y, program)
        if program != "no-zero-grad":
            optimizer.zero_grad()
        smoothing = 0.1 if program == "label-smoothing" else 0.0
        loss = F.cross_entropy(model(x), y, label_smoothing=smoothing)
        loss.backward()
        adjust_gradients(model, program)
        if program != "no-step":
            optimizer.step()
        if program == "decay-every-batch":
            optimizer.param_groups[0]["lr"] *= 0.5
        low = low + 1 if float(loss.detach()) < NEAR_ZERO else 0
        if low == IN_A_ROW:
            return Overfit(True, step)
    return Overfit(False, limit)


def network(program: str) -> nn.Sequential:
    """A hidden layer and a head, or what the bug makes of them."""
    middle: dict[str, list[nn.Module]] = {
        "no-nonlinearity": [],
        "detached-trunk": [nn.ReLU(), Detach()],
        "batch-norm-in-eval": [nn.BatchNorm1d(HIDDEN).eval(), nn.ReLU()],
        "dropout": [nn.ReLU(), nn.Dropout(0.5)],
    }
    end: dict[str, list[nn.Module]] = {"relu-on-logits": [nn.ReLU()], "softmax-before-loss": [nn.Softmax(dim=1)]}
    start: list[nn.Module] = [MixSamples()] if program == "samples-mixed" else []
    body = middle.get(program, [nn.ReLU()])
    model = nn.Sequential(*start, nn.Linear(PIXELS, HIDDEN), *body, nn.Linear(HIDDEN, CLASSES), *end.get(program, []))
    if program == "all-zero-weights":
        for p in model.parameters():
            nn.init.zeros_(p)
    return model


def optimizer_of(model: nn.Module, program: str) -> torch.optim.Optimizer:
    """SGD with momentum, at a rate that suits the sound program."""
    factor = {"rate-tenfold-low": 0.1, "rate-tenfold-high": 10.0}.get(program, 1.0)
    decay = 1e-3 if program == "weight-decay" else 0.0
    return torch.optim.SGD(model.parameters(), lr=RATE * factor, momentum=0.9, weight_decay=decay)


def few_samples(digits: Digits, program: str) -> tuple[Tensor, Tensor]:
    """The first digits to train on, with the faults that a data set has once and for all."""
    x, y = digits.train_x[:SAMPLES], digits.train_y[:SAMPLES]
    if program == "test-digits-in-training":
        x, y = digits.test_x[:SAMPLES], digits.test_y[:SAMPLES]
    if program == "labels-shuffled-once":
        y = y[torch.randperm(SAMPLES)]
    if program == "labels-off-by-one":
        y = (y + 1) % CLASSES
    if program == "raw-pixels":
        x = x * 255
    if program == "one-image-for-all":
        x = x[:1].expand_as(x)
    return x, y


def as_loaded(x: Tensor, y: Tensor, program: str) -> tuple[Tensor, Tensor]:
    """What a loader makes of the samples anew each time."""
    if program == "labels-shuffled-each-time":
        y = y[torch.randperm(SAMPLES)]
    if program == "augmentation-erases":
        x = x * (torch.rand(SAMPLES, 1) < 0.5)
    return x, y


def adjust_gradients(model: nn.Module, program: str) -> None:
    """What happens between backward and the optimizer's step."""
    if program == "zero-grad-after-backward":
        model.zero_grad()
    if program == "clipped-to-nothing":
        nn.utils.clip_grad_norm_(model.parameters(), max_norm=1e-3)
