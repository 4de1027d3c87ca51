"""Samples compared with a centre by formulas that divide, where one sample makes the denominator 0."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from bench import Setup


@dataclass(frozen=True)
class Batch:
    """Samples, the centre they are compared with, which elements count, and which formula is used."""

    x: Tensor
    centre: Tensor
    selected: Tensor
    formula: str


def batch(setup: Setup) -> Batch:
    """Eight samples, of which the first lies on the centre and has no element selected, but at ``never-zero``."""
    torch.manual_seed(setup.seed)
    case, width = setup.point(str), setup.pick(full=64, smoke=4)
    kind = torch.float16 if case == "half-precision" else torch.float32
    x, centre = torch.randn(8, width).to(setup.device, kind), torch.randn(width).to(setup.device, kind)
    selected = torch.ones_like(x)
    if case != "never-zero":
        x[0], selected[0] = centre, 0
    return Batch(x, centre, selected, {"half-precision": "norm", "never-zero": "norm"}.get(case, case))
