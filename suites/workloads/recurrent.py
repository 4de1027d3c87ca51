"""Recurrent networks that add up two marked numbers of a sequence, a task whose gradients are known to explode.

Their recurrent weights begin as the identity, at a rate of 0.01, as Le, Jaitly and Hinton train this task (2015); or as
PyTorch's default draws them, which forgets within a few steps and so does not explode.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from math import inf, isfinite
from statistics import fmean, median

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import Setup
from suites.workloads.bounds import Clip

BOUNDS = {"one": 1.0, "a-hundredth": 0.01, "a-hundred": 100.0, "one-default-weights": 1.0}
# The mean square of the sum of two numbers from 0 to 1: its mean is 1, its variance 2/12.
OF_ANSWERING_0 = 7 / 6
RATE = 0.01
HIDDEN = 32
ROWS = 16


@dataclass(frozen=True)
class Run:
    """A network before its training, and batches: sequences of (length, rows, 2), and what their marked numbers add to.

    The first channel holds numbers from 0 to 1, the second marks two of them with 1.
    """

    model: nn.ModuleList
    batches: list[tuple[Tensor, Tensor]]


@dataclass(frozen=True)
class Runs:
    """Trainings with weights and batches of their own, and the norm that gradients are clipped to."""

    runs: list[Run]
    bound: float


def adding(setup: Setup) -> Runs:
    """Four trainings, clipped as the point says."""
    torch.manual_seed(setup.seed)
    case, updates, length = setup.point(str), setup.pick(full=30, smoke=3), setup.pick(full=30, smoke=4)
    identity = case != "one-default-weights"
    return Runs([_run(updates, length, identity, setup.device) for _ in range(4)], BOUNDS[case])


def train(r: Runs, clip: Clip) -> dict[str, float]:
    """How many runs diverged, and the median final loss.

    A run has diverged when its last losses are not finite, or higher than both its first and those of answering 0.
    """
    found = [_ends(_losses(run, clip)) for run in r.runs]
    return {
        "diverged": sum(not isfinite(last) or last > max(first, OF_ANSWERING_0) for first, last in found),
        "loss": median(last if isfinite(last) else inf for _, last in found),
    }


def _losses(run: Run, clip: Clip) -> list[float]:
    model = copy.deepcopy(run.model)
    recurrent, head = model
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
    losses = []
    for x, wanted in run.batches:
        optimizer.zero_grad()
        loss = F.mse_loss(head(recurrent(x)[0][-1]), wanted)
        loss.backward()
        clip(model.parameters())
        optimizer.step()
        losses.append(float(loss.detach()))
    return losses


def _ends(losses: list[float]) -> tuple[float, float]:
    """The loss before any update, and the mean of the last tenth."""
    return losses[0], fmean(losses[-max(1, len(losses) // 10) :])


def _run(updates: int, length: int, identity: bool, device: torch.device) -> Run:
    recurrent, head = nn.RNN(2, HIDDEN, nonlinearity="relu"), nn.Linear(HIDDEN, 1)
    if identity:
        with torch.no_grad():
            recurrent.weight_hh_l0.copy_(torch.eye(HIDDEN))
            recurrent.bias_ih_l0.zero_()
            recurrent.bias_hh_l0.zero_()
    return Run(nn.ModuleList([recurrent, head]).to(device), [_batch(length, device) for _ in range(updates)])


def _batch(length: int, device: torch.device) -> tuple[Tensor, Tensor]:
    numbers = torch.rand(length, ROWS)
    marks = torch.zeros(length, ROWS).scatter_(0, torch.rand(length, ROWS).topk(2, dim=0).indices, 1.0)
    return torch.stack([numbers, marks], dim=2).to(device), (numbers * marks).sum(0)[:, None].to(device)
