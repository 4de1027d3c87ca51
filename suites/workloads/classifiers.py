"""Classifiers whose layers behave otherwise in training: with Dropout, with BatchNorm, or with neither of them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from bench import Setup
from suites.workloads.layers import CLASSES, normal

BETWEEN: dict[str, Callable[[int], nn.Module]] = {
    "batchnorm": nn.BatchNorm1d,
    "dropout": lambda width: nn.Dropout(0.5),
    "neither": nn.LayerNorm,
}


@dataclass(frozen=True)
class Inference:
    """A trained model in training mode, a batch, and the output in eval() and float64."""

    model: nn.Module
    x: Tensor
    true_output: Tensor


def inference(setup: Setup) -> Inference:
    """A classifier whose statistics have settled and a batch, of one sample at ``batchnorm-one-sample``."""
    torch.manual_seed(setup.seed)
    case, width = setup.point(str), setup.pick(full=64, smoke=8)
    model = classifier("batchnorm" if case == "batchnorm-one-sample" else case, width).to(setup.device)
    settle_statistics(model, [normal(64, width, device=setup.device) for _ in range(20)])
    x = normal(1 if case == "batchnorm-one-sample" else 32, width, device=setup.device)
    return Inference(model, x, copy.deepcopy(model).double().eval()(x.double()).detach())


def classifier(between: str, width: int) -> nn.Sequential:
    """Two hidden layers with what ``between`` names after each of them."""
    hidden = [layer for _ in range(2) for layer in (nn.Linear(width, width), BETWEEN[between](width), nn.Tanh())]
    return nn.Sequential(*hidden, nn.Linear(width, CLASSES))


def settle_statistics(model: nn.Module, batches: list[Tensor]) -> None:
    """Let BatchNorm's running statistics see ``batches``, as in training."""
    model.train()
    with torch.no_grad():
        for x in batches:
            model(x)
