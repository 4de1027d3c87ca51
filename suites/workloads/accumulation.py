"""One optimizer update from several micro-batches, beside the update that the whole batch gives."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from suites.workloads.compare import flat, gradient
from suites.workloads.layers import CLASSES, dense, normal


@dataclass(frozen=True)
class Accumulation:
    """A model, the micro-batches, and which optimizer makes the update."""

    model: nn.Sequential
    micro: list[tuple[Tensor, Tensor]]
    adam: bool

    @property
    def whole(self) -> list[tuple[Tensor, Tensor]]:
        """The same samples as one batch."""
        return [(torch.cat([x for x, _ in self.micro]), torch.cat([y for _, y in self.micro]))]


def accumulation(sizes: list[int], width: int, adam: bool, device: torch.device) -> Accumulation:
    """A random model, and micro-batches of these sizes."""
    micro = [(normal(n, width, device=device), torch.randint(CLASSES, (n,)).to(device)) for n in sizes]
    return Accumulation(dense(width, depth=2).to(device), micro, adam)


def accumulate(
    a: Accumulation, batches: list[tuple[Tensor, Tensor]], share: Callable[[int], float]
) -> tuple[Tensor, Tensor]:
    """What adds up over ``batches``, each mean loss times ``share`` of its size, and the update that it gives."""
    model = copy.deepcopy(a.model)
    optimizer = (torch.optim.Adam if a.adam else torch.optim.SGD)(model.parameters(), lr=0.01)
    for x, y in batches:
        (F.cross_entropy(model(x), y) * share(len(x))).backward()
    found = gradient(model)
    optimizer.step()
    return found, flat(model.parameters()) - flat(a.model.parameters())


def against_the_whole(a: Accumulation, share: Callable[[int], float]) -> dict[str, Tensor]:
    """Gradient and update from the micro-batches, and what they are for the whole batch."""
    found, update = accumulate(a, a.micro, share)
    true_found, true_update = accumulate(a, a.whole, lambda n: 1.0)
    return {"gradient": found, "update": update, "true gradient": true_found, "true update": true_update}
