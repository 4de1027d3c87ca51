"""A small convolutional network to train, on images of one shape or of many."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn

from bench import Setup
from suites.workloads.layers import CLASSES, normal


@dataclass(frozen=True)
class Training:
    """A model, images with labels, and by how many pixels a step may crop the images."""

    model: nn.Module
    images: Tensor
    labels: Tensor
    crops: int


def training(setup: Setup) -> Training:
    """A random network and random images, cropped by up to a quarter of their side at the point ``varying``."""
    torch.manual_seed(setup.seed)
    rows, side = setup.pick(full=4, smoke=2, cuda=32), setup.pick(full=48, smoke=16, cuda=160)
    channels = (3, *[setup.pick(full=8, smoke=4, cuda=64)] * 4)
    with setup.device:
        layers = [nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.ReLU()) for a, b in pairwise(channels)]
        model = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels[-1], CLASSES))
    labels = torch.randint(CLASSES, (rows,)).to(setup.device)
    images = normal(rows, 3, side, side, device=setup.device)
    return Training(model, images, labels, crops=side // 4 if setup.value == "varying" else 1)
