"""Digits trained under a learning-rate strategy, at the rate that serves it best on held-out digits of other splits."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from functools import partial
from statistics import mean

import torch
from torch import nn
from torch.nn import functional as F
from torch.optim import lr_scheduler

from bench import Trace
from suites.workloads.cache import cached, versioned
from suites.workloads.situations import Part, Task, task

RATES = (0.02, 0.05, 0.1, 0.2, 0.5)
TUNING_SEEDS = (1000, 1001, 1002)
LOOKS_PER_EPOCH = 2
TEST_ACCURACY = Trace("test accuracy", x="steps", unit="share", read=lambda result: result["curve"])


@dataclass(frozen=True)
class Curve:
    """Accuracy and loss on held-out digits, as often as they were looked at, and the steps done by then."""

    steps: list[int]
    accuracies: list[float]
    losses: list[float]


def trained_at_its_best(t: Task, strategy: str) -> dict[str, object]:
    """What the strategy reaches on the test digits at its tuned rate."""
    return summary(trained(t, strategy, tuned_rate(t, strategy), t.test), t.target, len(t.test[1]))


def trained_at_the_constant_rate(t: Task, strategy: str) -> dict[str, object]:
    """What the strategy reaches when it starts from the constant's tuned rate times the task's factor."""
    return summary(trained(t, strategy, t.factor * tuned_rate(t, "constant"), t.test), t.target, len(t.test[1]))


def summary(curve: Curve, target: float, answers: int) -> dict[str, object]:
    """The accuracy of so many answers and the loss at the end, the loss's spread over the last third, the steps to the
    target (or all), and the curve.
    """
    last_third = torch.tensor(curve.losses[-(len(curve.losses) // 3) :])
    reached = [step for step, a in zip(curve.steps, curve.accuracies, strict=True) if a >= target]
    return {
        "accuracy": curve.accuracies[-1],
        "answers": answers,
        "loss": curve.losses[-1],
        "spread": float(last_third.std(correction=0)),
        "steps": float(reached[0] if reached else curve.steps[-1]),
        "curve": (curve.steps, curve.accuracies),
    }


def tuned_rate(t: Task, strategy: str) -> float:
    """The rate of the grid with the best accuracy on validation digits, the lower loss where that ties; kept in a file.

    It is a mean over a few splits, since one would leave much to luck, and none of them is a split that is measured.
    """
    name = versioned(f"rates/{t.name}-{strategy}-{t.epochs}-epochs.txt")
    return float(cached(name, partial(_tune, t, strategy)).read_text())


def _tune(t: Task, strategy: str) -> bytes:
    setups = [replace(t.setup, seed=seed, device=torch.device("cpu")) for seed in TUNING_SEEDS]
    others = [task(setup, t.name) for setup in setups]

    def badness(rate: float) -> tuple[float, float]:
        curves = [trained(other, strategy, rate, other.validation) for other in others]
        return -mean(c.accuracies[-1] for c in curves), mean(c.losses[-1] for c in curves)

    return str(min(RATES, key=badness)).encode()


def trained(t: Task, strategy: str, rate: float, held_out: Part) -> Curve:
    """Train a copy of the model with SGD and momentum, looking at ``held_out`` a few times in each epoch."""
    model, generator = copy.deepcopy(t.model), torch.Generator().manual_seed(t.setup.seed)
    (x, y), curve = t.fit, Curve([], [], [])
    batches = -(-len(x) // t.batch)
    optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=0.9)
    scheduler = scheduler_of(strategy, optimizer, rate, t.epochs, batches)
    looks = {batches * (i + 1) // LOOKS_PER_EPOCH for i in range(LOOKS_PER_EPOCH)}
    for epoch in range(t.epochs):
        for batch, rows in enumerate(torch.randperm(len(x), generator=generator).to(x.device).split(t.batch), 1):
            optimizer.zero_grad()
            F.cross_entropy(model(x[rows]), y[rows]).backward()
            optimizer.step()
            if isinstance(scheduler, lr_scheduler.OneCycleLR):
                scheduler.step()
            if batch in looks:
                accuracy, loss = _evaluated(model, held_out)
                curve.steps.append(epoch * batches + batch)
                curve.accuracies.append(accuracy)
                curve.losses.append(loss)
        if isinstance(scheduler, lr_scheduler.ReduceLROnPlateau):
            scheduler.step(_evaluated(model, t.validation)[1])
        elif not isinstance(scheduler, lr_scheduler.OneCycleLR):
            scheduler.step()
    return curve


def scheduler_of(
    strategy: str, optimizer: torch.optim.Optimizer, rate: float, epochs: int, batches: int
) -> lr_scheduler.LRScheduler:
    """The strategy's scheduler over so many epochs of so many batches; torch's own defaults where nothing forbids."""
    third = max(1, epochs // 3)
    if strategy == "step":
        return lr_scheduler.StepLR(optimizer, step_size=third)
    if strategy == "cosine":
        return lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    if strategy == "warm-restarts":
        return lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=third)
    if strategy == "one-cycle":
        return lr_scheduler.OneCycleLR(optimizer, max_lr=rate, total_steps=epochs * batches)
    if strategy == "plateau":
        # The default patience of 10 epochs is nearly all that there are.
        return lr_scheduler.ReduceLROnPlateau(optimizer, patience=1)
    return lr_scheduler.LambdaLR(optimizer, lambda epoch: 1.0)


def _evaluated(model: nn.Module, part: Part) -> tuple[float, float]:
    x, y = part
    with torch.no_grad():
        logits = model(x)
        return float((logits.argmax(1) == y).float().mean()), float(F.cross_entropy(logits, y))
