"""Trainings with a planted fault that turns the loss or the gradient bad, and the cures that could mend it."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import Setup
from suites.workloads.layers import CLASSES

TINY = 1e-12

# Which of the document's suspects is guilty, in its order of suspicion.
SUSPECTS = ("rate", "data", "log-or-root", "half")
GUILTY = {
    "learning-rate": "rate",
    "data": "data",
    "log": "log-or-root",
    "sqrt": "log-or-root",
    "half-underflow": "half",
    "half-overflow": "half",
}


@dataclass(frozen=True)
class Faulty:
    """Batches ``x`` (steps, rows, features) with labels ``y``, and a training of them with one planted cause.

    ``excess`` is taken away under the root, per step. ``scale`` multiplies the loss before the backward and is divided
    out of the gradients: too small a one makes half-precision gradients vanish, too large a one overflow.
    """

    model: nn.Sequential
    x: Tensor
    y: Tensor
    excess: Tensor
    cause: str
    rate: float
    scale: float
    log_every: int

    @property
    def steps(self) -> int:
        """How long it trains."""
        return len(self.x)

    @property
    def half(self) -> bool:
        """Whether the forward runs in float16."""
        return self.cause.startswith("half")


def faulty(setup: Setup) -> Faulty:
    """A tiny network to train for twice as many steps as lie between two looks at the loss, its cause the point's."""
    torch.manual_seed(setup.seed)
    cause, log_every = setup.point(str), setup.pick(full=100, smoke=20)
    steps, fault, width = 2 * log_every, 3 * log_every // 10, 8
    x, y = torch.randn(steps, 8, width), torch.randint(CLASSES, (steps, 8))
    excess = torch.zeros(steps)
    if cause == "data":
        x[fault, 0, 0] = torch.nan
    if cause == "log":
        x[fault] *= 1e4
    if cause == "sqrt":
        excess[fault] = 1e3
    model = nn.Sequential(nn.Linear(width, 16), nn.ReLU(), nn.Linear(16, CLASSES)).to(setup.device)
    x, y, excess = x.to(setup.device), y.to(setup.device), excess.to(setup.device)
    scale = {"half-underflow": 2.0**-40, "half-overflow": 2.0**24}.get(cause, 1.0)
    return Faulty(model, x, y, excess, cause, 1e3 if cause == "learning-rate" else 1e-2, scale, log_every)


class Run:
    """A training from its beginning, with one suspect cured or none."""

    def __init__(self, faulty: Faulty, cured: str = "") -> None:
        self.faulty = faulty
        self.cured = cured
        self.done = 0
        self._model = copy.deepcopy(faulty.model)

    def gradients(self) -> Tensor:
        """The loss of the next batch, whose gradients the parameters have then."""
        self._model.zero_grad()
        loss = self._loss()
        (loss * self.faulty.scale).backward()
        torch._foreach_div_([p.grad for p in self._model.parameters()], self.faulty.scale)
        return loss.detach()

    def update(self) -> None:
        """Follow the gradients and go on to the next batch."""
        rate = self.faulty.rate * (1e-5 if self.cured == "rate" else 1)
        with torch.no_grad():
            torch._foreach_sub_(list(self._model.parameters()), [p.grad * rate for p in self._model.parameters()])
        self.done += 1

    def until(self, steps: int) -> Tensor:
        """Train on, and give the loss of the last of ``steps``."""
        while self.done < steps:
            loss = self.gradients()
            self.update()
        return loss

    def finite(self, loss: Tensor) -> bool:
        """Whether the loss and all gradients are."""
        return bool(torch.stack([loss, *(p.grad.abs().sum() for p in self._model.parameters())]).isfinite().all())

    def zero(self) -> bool:
        """Whether all gradients are 0."""
        return not torch.stack([p.grad.abs().sum() for p in self._model.parameters()]).any()

    def batch_is_finite(self) -> bool:
        """Whether the next batch is."""
        return bool(self.faulty.x[self.done].isfinite().all())

    def again(self, cured: str) -> Run:
        """The same step with a suspect cured."""
        other = Run(self.faulty, cured)
        other._model.load_state_dict(self._model.state_dict())
        other.done = self.done
        return other

    def blamed_by_anomaly_mode(self) -> str:
        """What torch says of the next batch's backward in anomaly mode; empty when nothing is NaN in it."""
        try:
            with torch.autograd.set_detect_anomaly(True):
                self.gradients()
        except RuntimeError as error:
            return str(error)
        return ""

    def _loss(self) -> Tensor:
        x, y = self.faulty.x[self.done], self.faulty.y[self.done]
        least = TINY if self.cured == "log-or-root" else -torch.inf
        if self.cured == "data":
            x = x.nan_to_num(0.0)
        with torch.autocast(x.device.type, torch.float16, enabled=self.faulty.half and self.cured != "half"):
            z = self._model(x)
        wanted = F.one_hot(y, CLASSES).float()
        if self.faulty.cause == "log":
            return -(wanted * z.softmax(1).clamp_min(least).log()).sum(1).mean()
        if self.faulty.cause == "sqrt":
            return (z.square().mean(1) + 1 - self.faulty.excess[self.done]).clamp_min(least).sqrt().mean()
        return F.mse_loss(z.float(), wanted)
