"""Fine-tuning with Adam: an encoder that is frozen at once or after some updates, and a head that goes on training."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import Setup
from suites.workloads.layers import CLASSES, dense, normal

UPDATES_BEFORE = {"from-the-start": 0, "mid-training": 2}


@dataclass(frozen=True)
class FineTuning:
    """A model whose last layer is the head, a batch, and the updates made before the rest of it is frozen."""

    model: nn.Sequential
    x: Tensor
    labels: Tensor
    updates_before: int


def encoder_and_head(setup: Setup) -> FineTuning:
    """A random model and a random batch; it is frozen from the start or, at ``mid-training``, after two updates."""
    torch.manual_seed(setup.seed)
    rows, width = setup.pick(full=32, smoke=4, cuda=256), setup.pick(full=512, smoke=8, cuda=4096)
    depth = setup.pick(full=4, smoke=2, cuda=8)
    labels = torch.randint(CLASSES, (rows,)).to(setup.device)
    model, x = dense(width, depth).to(setup.device), normal(rows, width, device=setup.device)
    return FineTuning(model, x, labels, UPDATES_BEFORE[setup.point(str)])


class Tuner:
    """A copy of the model in training: freeze its encoder, leave that out of the optimizer or not, update the rest."""

    def __init__(self, tuning: FineTuning, set_to_none: bool = True) -> None:
        self._tuning = tuning
        self._set_to_none = set_to_none
        self._model = copy.deepcopy(tuning.model)
        self._optimizer = torch.optim.Adam(self._model.parameters(), lr=1e-3)
        for _ in range(tuning.updates_before):
            self.update()

    @property
    def encoder(self) -> list[nn.Parameter]:
        """What is to be frozen."""
        return list(self._model[:-1].parameters())

    @property
    def state_bytes(self) -> int:
        """What the optimizer remembers of its parameters."""
        states = [value for state in self._optimizer.state.values() for value in state.values()]
        return sum(s.numel() * s.element_size() for s in states if isinstance(s, Tensor))

    def freeze(self) -> None:
        """The encoder takes no further gradients."""
        for parameter in self.encoder:
            parameter.requires_grad_(False)

    def leave_out_the_encoder(self) -> None:
        """Give the optimizer the head alone, and let it forget what it remembers of the rest."""
        self._optimizer.param_groups[0]["params"] = list(self._model[-1].parameters())
        for parameter in self.encoder:
            self._optimizer.state.pop(parameter, None)
            parameter.grad = None

    def update(self) -> Tensor:
        """One step of training; the loss before it."""
        self._optimizer.zero_grad(set_to_none=self._set_to_none)
        loss = F.cross_entropy(self._model(self._tuning.x), self._tuning.labels)
        loss.backward()
        self._optimizer.step()
        return loss.detach()


def frozen(f: FineTuning, left_out: bool, set_to_none: bool = True) -> Tuner:
    """A tuner whose encoder is frozen and, if wished, out of the optimizer, after one update of the head."""
    tuner = Tuner(f, set_to_none)
    tuner.freeze()
    if left_out:
        tuner.leave_out_the_encoder()
    tuner.update()
    return tuner
