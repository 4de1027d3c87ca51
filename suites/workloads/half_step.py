"""A small classifier whose gradient is taken in half precision, beside the same in float64, and its training."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import Setup
from suites.workloads.compare import flat, gradient
from suites.workloads.layers import CLASSES, dense, normal
from suites.workloads.mixed_precision import autocast

STEPS = 20
WEIGHTS = {"order-1": 1.0, "weighed-1e-4": 1e-4, "weighed-1e-6": 1e-6}


@dataclass(frozen=True)
class HalfStep:
    """A model, a batch, and by how much its mean cross entropy is weighed; 1 makes a loss of order one."""

    model: nn.Module
    x: Tensor
    labels: Tensor
    weight: float = 1.0

    def loss(self, model: nn.Module, kind: torch.dtype | None) -> Tensor:
        """The loss of a copy of the model, in mixed precision with ``kind``; None is float32."""
        with autocast(self.x.device, kind):
            return F.cross_entropy(model(self.x), self.labels) * self.weight

    def exact(self) -> tuple[nn.Module, Tensor]:
        """A copy of the model in float64, with its gradient in place, and that gradient in one vector."""
        model = copy.deepcopy(self.model).double()
        (F.cross_entropy(model(self.x.double()), self.labels) * self.weight).backward()
        return model, gradient(model)


def half_step(setup: Setup, weight: float = 1.0) -> HalfStep:
    """A random classifier with two hidden layers and a random batch."""
    torch.manual_seed(setup.seed)
    rows, width = 64, setup.pick(full=32, smoke=8)
    model = dense(width, depth=2).to(setup.device)
    x, labels = normal(rows, width, device=setup.device), torch.randint(CLASSES, (rows,)).to(setup.device)
    return HalfStep(model, x, labels, weight)


def weighed_step(setup: Setup) -> HalfStep:
    """The same with a loss that is weighed as the point says."""
    return half_step(setup, WEIGHTS[setup.point(str)])


def trained(s: HalfStep, kind: torch.dtype | None, scaled: bool) -> tuple[Tensor, float]:
    """The weights after some steps of Adam with clipping at 1, and the loss they give in float32, not weighed."""
    model, scaler = copy.deepcopy(s.model), torch.amp.GradScaler(s.x.device.type, enabled=scaled)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(STEPS):
        optimizer.zero_grad(set_to_none=True)
        scaler.scale(s.loss(model, kind)).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
    return flat(model.parameters()), float(s.loss(model, None).detach()) / s.weight


def trained_beside_float32(s: HalfStep, scaled: bool) -> dict[str, object]:
    """Training in float16: the weights, those of the same training in float32, and the final loss."""
    weights, final = trained(s, torch.float16, scaled)
    return {"weights": weights, "true weights": trained(s, None, scaled=False)[0], "loss": final}
