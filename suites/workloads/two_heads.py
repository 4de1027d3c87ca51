"""A network with two losses, whose heads share one trunk or have one each."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from suites.workloads.compare import flat
from suites.workloads.layers import CLASSES, dense, normal


@dataclass(frozen=True)
class TwoHeads:
    """``trunks`` holds the same module twice when it is shared. ``true_gradient`` is that of the heads, in float64."""

    trunks: tuple[nn.Sequential, nn.Sequential]
    heads: tuple[nn.Linear, nn.Linear]
    x: Tensor
    labels: Tensor
    true_gradient: Tensor

    def losses(self) -> tuple[Tensor, Tensor]:
        """One forward, two losses; nothing is left of earlier gradients."""
        return losses(self.trunks, self.heads, self.x, self.labels)

    def gradient(self) -> Tensor:
        """The gradient of the trunks' first biases as it stands: small, and the whole backward is in it."""
        return first_biases(self.trunks)


def two_heads(shared: bool, rows: int, width: int, depth: int, device: torch.device) -> TwoHeads:
    """Random networks and a random batch."""
    first, second = dense(width, depth).to(device), dense(width, depth).to(device)
    trunks = (first, first if shared else second)
    heads = (nn.Linear(CLASSES, CLASSES).to(device), nn.Linear(CLASSES, CLASSES).to(device))
    x, labels = normal(rows, width, device=device), torch.randint(CLASSES, (rows,)).to(device)
    exact_trunks, exact_heads = copy.deepcopy((trunks, heads))
    for module in (*exact_trunks, *exact_heads):
        module.double()
    sum(losses(exact_trunks, exact_heads, x.double(), labels)).backward()  # type: ignore[union-attr]
    return TwoHeads(trunks, heads, x, labels, first_biases(exact_trunks))


def losses(
    trunks: tuple[nn.Sequential, nn.Sequential], heads: tuple[nn.Linear, nn.Linear], x: Tensor, labels: Tensor
) -> tuple[Tensor, Tensor]:
    """One forward through each trunk that there is, and the loss of each head."""
    for module in (*trunks, *heads):
        module.zero_grad()
    first = trunks[0](x)
    second = first if trunks[1] is trunks[0] else trunks[1](x)
    return F.cross_entropy(heads[0](first), labels), F.cross_entropy(heads[1](second), labels)


def first_biases(trunks: tuple[nn.Sequential, nn.Sequential]) -> Tensor:
    """The gradients of the first layers' biases."""
    return flat(p.grad for trunk in trunks for p in list(trunk.parameters())[1:2])
