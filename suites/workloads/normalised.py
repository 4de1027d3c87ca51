"""Small convolutional networks on digits that differ in how they normalise."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import Setup
from suites.workloads.compare import gradient
from suites.workloads.digits import CLASSES, load_digits

CHANNELS = 16


@dataclass(frozen=True)
class Split:
    """The same network with BatchNorm and with GroupNorm, a batch of digits, and into how many parts it is split."""

    batch_norm: nn.Sequential
    group_norm: nn.Sequential
    x: Tensor
    labels: Tensor
    parts: int


def split_digits(setup: Setup, rows: int) -> Split:
    """``rows`` digits, to be split into as many parts as the point says."""
    digits = load_digits(setup.seed)
    batch_norm = network(setup.seed, nn.BatchNorm2d)
    group_norm = network(setup.seed, lambda channels: nn.GroupNorm(4, channels))
    return Split(batch_norm, group_norm, digits.train_x[:rows], digits.train_y[:rows], setup.point(int))


def network(seed: int, norm: Callable[[int], nn.Module]) -> nn.Sequential:
    """Two convolutions, each followed by ``norm``; of one seed, all have the same weights."""
    torch.manual_seed(seed)
    return nn.Sequential(
        nn.Unflatten(1, (1, 8, 8)),
        nn.Conv2d(1, CHANNELS, 3, padding=1),
        norm(CHANNELS),
        nn.ReLU(),
        nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1),
        norm(CHANNELS),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(CHANNELS, CLASSES),
    )


def frozen(model: nn.Sequential, x: Tensor) -> nn.Sequential:
    """A copy in eval mode, whose running statistics are those of ``x``, as after a training that has settled."""
    model = copy.deepcopy(model)
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.momentum = 1.0
    with torch.no_grad():
        model(x)
    return model.eval()


def accumulated(model: nn.Sequential, s: Split) -> dict[str, Tensor]:
    """What the parts' gradients add up to, and the gradient of the whole batch."""
    return {"gradient": _gradient(model, s, s.parts), "true gradient": _gradient(model, s, 1)}


def _gradient(model: nn.Sequential, s: Split, parts: int) -> Tensor:
    model = copy.deepcopy(model)
    for x, labels in zip(s.x.chunk(parts), s.labels.chunk(parts), strict=True):
        (F.cross_entropy(model(x), labels) / parts).backward()
    return gradient(model)
