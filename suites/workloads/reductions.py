"""A product in half precision, reduced to a loss by an operation that may need float32."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from bench import Setup

LOSSES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "sum": lambda y, labels: y.sum(),
    "sum-of-squares": lambda y, labels: (y * y).sum(),
    "mean-of-large-squares": lambda y, labels: (y * 300 * (y * 300)).mean(),
    "sum-within-range": lambda y, labels: y[:64].sum(),
    "sum-bfloat16": lambda y, labels: y.sum(),
    "mse-loss": lambda y, labels: F.mse_loss(y, torch.zeros_like(y), reduction="sum"),
    "cross-entropy": F.cross_entropy,
}


@dataclass(frozen=True)
class Reduction:
    """What is multiplied and in which half precision, labels for the product's rows, and the loss."""

    x: Tensor
    weight: Tensor
    labels: Tensor
    kind: torch.dtype
    loss: Callable[[Tensor, Tensor], Tensor]

    def result(self, found: Tensor) -> dict[str, Tensor]:
        """The loss that was found, and what it is in float64."""
        return {"loss": found, "true loss": self.loss(self.x.double() @ self.weight.double(), self.labels)}


def reduction(setup: Setup) -> Reduction:
    """A product of 256 x 512 elements of about 1, and the point's loss of it."""
    torch.manual_seed(setup.seed)
    case, inner, rows, outputs = setup.point(str), setup.pick(full=32, smoke=4), 256, 512
    x, weight = 2 * torch.rand(rows, inner), 2 * torch.rand(inner, outputs) / inner
    labels = torch.randint(outputs, (rows,)).to(setup.device)
    kind = torch.bfloat16 if "bfloat16" in case else torch.float16
    return Reduction(x.to(setup.device), weight.to(setup.device), labels, kind, LOSSES[case])
