"""One scaled update with clipping, taken apart, so that its parts can be put in any order."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from bench import Setup
from suites.workloads.compare import flat
from suites.workloads.half_step import HalfStep, half_step


@dataclass(frozen=True)
class Clipping:
    """A model with a batch, the length to which its gradient is clipped, and the optimizer of the update."""

    half: HalfStep
    limit: float
    adam: bool

    def optimizer(self, model: nn.Module) -> torch.optim.Optimizer:
        """At a rate of 1 plain SGD's update is the gradient itself."""
        return (torch.optim.Adam if self.adam else torch.optim.SGD)(model.parameters(), lr=1.0)

    def true_update(self) -> Tensor:
        """What the clipped gradient's update is in float64."""
        model, _ = self.half.exact()
        nn.utils.clip_grad_norm_(model.parameters(), self.limit)
        self.optimizer(model).step()
        return flat(model.parameters()) - flat(self.half.model.parameters())


def clipping(setup: Setup) -> Clipping:
    """The limit is half the true gradient's length, or twice that at points that say ``below-the-limit``."""
    case, half = setup.point(str), half_step(setup)
    _, true_gradient = half.exact()
    length = float(torch.linalg.vector_norm(true_gradient))
    return Clipping(half, length * (2.0 if case == "below-the-limit" else 0.5), adam="adam" in case)


class Update:
    """One update of a copy of the model, part by part; without ``scaled`` the scaler does nothing."""

    def __init__(self, c: Clipping, scaled: bool = True) -> None:
        self._c = c
        self._model = copy.deepcopy(c.half.model)
        self._optimizer = c.optimizer(self._model)
        self._scaler = torch.amp.GradScaler(c.half.x.device.type, enabled=scaled)

    def backward(self) -> None:
        """The gradient of the scaled loss."""
        self._scaler.scale(self._c.half.loss(self._model, torch.float16)).backward()

    def unscale(self) -> None:
        """Divide the gradient by the scale."""
        self._scaler.unscale_(self._optimizer)

    def clip(self) -> None:
        """Clip the gradient as it is now."""
        nn.utils.clip_grad_norm_(self._model.parameters(), self._c.limit)

    def finish(self) -> dict[str, Tensor]:
        """Let the optimizer step; how the weights changed, and how they should have."""
        self._scaler.step(self._optimizer)
        self._scaler.update()
        update = flat(self._model.parameters()) - flat(self._c.half.model.parameters())
        return {"update": update, "true update": self._c.true_update()}


def length_of_update(result: dict[str, Tensor]) -> float:
    """How long the update is, over how long it should be: 1 is as it should."""
    return float(result["update"].double().norm() / result["true update"].norm())
