"""How results are compared and read: relative errors, and arms whose results agree only in part."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from bench import Same


def in_part(part: str, same: Same) -> Same:
    """Hold ``part`` of results that are dicts equal; the rest is what the metrics read."""
    return Same(f"{part}: {same.describe}", lambda a, b: same.difference(a[part], b[part]))


def relative_error(found: Tensor, truth: Tensor) -> float:
    """The length of the difference over the length of the truth, in float64: 0 is exact, 1 is as wrong as nothing."""
    gap = torch.linalg.vector_norm(found.double() - truth.double())
    return float(gap / torch.linalg.vector_norm(truth.double()))


def error_of(part: str) -> Any:
    """A reader for results that hold ``part`` and, under ``true`` and its name, what it should be."""
    return lambda result: relative_error(result[part], result[f"true {part}"])


def flat(tensors: Iterable[Tensor | None]) -> Tensor:
    """All of them in one vector, without their history."""
    return torch.cat([t.detach().reshape(-1) for t in tensors if t is not None])


def gradient(model: nn.Module) -> Tensor:
    """The gradients of a model's parameters in one vector."""
    return flat(p.grad for p in model.parameters())
