"""Gradients of three layers in which one number is not finite, and what an update makes of the weights."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from bench import Setup
from suites.workloads.bounds import Clip
from suites.workloads.compare import flat
from suites.workloads.layers import normal


def one_bad_number(setup: Setup) -> list[Tensor]:
    """Three gradients of 4 x 4; the first number of all is the point's, ``inf`` or ``nan``."""
    torch.manual_seed(setup.seed)
    gradients = [normal(4, 4, device=setup.device) for _ in range(3)]
    gradients[0][0, 0] = float(setup.point(str))
    return gradients


def weights_lost(gradients: list[Tensor], clip: Clip, skip_not_finite: bool = False) -> int:
    """How many weights are not finite after an update with the clipped gradients, or without it if that is wished."""
    weights = [nn.Parameter(torch.zeros_like(g)) for g in gradients]
    for weight, gradient in zip(weights, gradients, strict=True):
        weight.grad = gradient.clone()
    norm = clip(weights)
    if not skip_not_finite or norm.isfinite():
        torch.optim.SGD(weights, lr=0.1).step()
    return int((~flat(weights).isfinite()).sum())
