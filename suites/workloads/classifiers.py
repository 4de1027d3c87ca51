"""Classifiers whose layers behave otherwise in training: with Dropout, with BatchNorm, or with neither of them."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from suites.workloads.layers import CLASSES

BETWEEN: dict[str, Callable[[int], nn.Module]] = {
    "batchnorm": nn.BatchNorm1d,
    "dropout": lambda width: nn.Dropout(0.5),
    "neither": nn.LayerNorm,
}


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
