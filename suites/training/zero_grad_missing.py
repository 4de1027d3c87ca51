"""Gradients are said to add up in PyTorch, so that without zero_grad() every update uses those of all batches before.

A small network is trained on batches of digits. The anti-pattern never clears the gradients, the recommended arm does
so before each backward. The error is that of the gradient which an update used, against what its batch gives by itself,
at the median of all updates; the loss is that of all batches at the end.

Theory: while batches agree, the n-th update is n times too long, an error of n - 1. With plain SGD the sum of all
gradients is momentum 1, which nothing damps: the weights swing past the minimum instead of settling. Adam divides the
length out and keeps a direction that is out of date.
"""

import copy
from dataclasses import dataclass
from statistics import median

import torch
from torch import nn

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, error, loss, may_differ
from suites.workloads.compare import gradient, relative_error
from suites.workloads.loops import Task, gradient_of, guide_loop, loss_of, loss_over, task


@dataclass(frozen=True)
class Training:
    """What is trained, and with which optimizer."""

    task: Task
    adam: bool

    def optimizer(self, model: nn.Module) -> torch.optim.Optimizer:
        """A new one, whose rate was tuned for the loop that clears."""
        if self.adam:
            return torch.optim.Adam(model.parameters(), lr=1e-2)
        return torch.optim.SGD(model.parameters(), lr=0.5)


def digits(setup: Setup) -> Training:
    return Training(task(setup.seed, batches=setup.pick(full=100, smoke=8), rows=32), setup.value == "adam")


def train(t: Training, clear: bool) -> dict[str, float]:
    model = copy.deepcopy(t.task.model)
    optimizer = t.optimizer(model)
    errors = []
    for batch in t.task.batches:
        if clear:
            optimizer.zero_grad()
        loss_of(model, batch).backward()
        errors.append(relative_error(gradient(model), gradient_of(model, batch)))
        optimizer.step()
    return {"error": median(errors), "loss": loss_over(model, t.task.batches)}


def never_cleared(t: Training) -> Step:
    return lambda: train(t, clear=False)


def cleared_before_backward(t: Training) -> Step:
    return lambda: train(t, clear=True)


PAIR = Pair(
    claims=("zero-grad-missing",),
    inputs=digits,
    anti_pattern=never_cleared,
    recommended=cleared_before_backward,
    same=may_differ("the gradient", because="what earlier batches left in it is what is measured"),
    metrics=(error(lambda r: r["error"], "gradient error"), loss(lambda r: r["loss"], "final loss")),
    axis=Axis("optimizer", full=("sgd", "adam")),
    needs=Needs(cpu=True, packages=("sklearn",)),
    seeds=10,
)
AS_WRITTEN = AsWritten(claim="zero-grad-missing", where="G 4.1", usage=guide_loop)
