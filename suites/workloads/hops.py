"""A batch that is sent to the device and through eight layers, and may go back and forth between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from bench import Setup
from suites.workloads.layers import normal

LAYERS = 8
FLOATS_PER_KIB = 256


@dataclass(frozen=True)
class Batch:
    """A batch in the host's memory, and the layers' weights on the device."""

    x: Tensor
    weights: list[Tensor]
    device: torch.device


def batch(setup: Setup) -> Batch:
    """Eight random layers, and a random batch of as many KiB as the point says."""
    torch.manual_seed(setup.seed)
    width = setup.pick(full=64, smoke=8, cuda=1024)
    rows = setup.pick(full=max(1, setup.point(int) * FLOATS_PER_KIB // width), smoke=4)
    weights = [normal(width, width, device=setup.device) / width**0.5 for _ in range(LAYERS)]
    return Batch(normal(rows, width, device=torch.device("cpu")), weights, setup.device)


def layers(b: Batch, before: Callable[[Tensor], Tensor], after: Callable[[Tensor], Tensor]) -> Tensor:
    """Send the batch to the device and through its layers, with something done before and after each of them."""
    x = b.x.to(b.device)
    for weight in b.weights:
        x = after(torch.tanh(before(x) @ weight))
    return x
