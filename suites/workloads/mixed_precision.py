"""Training in float32 and in mixed precision: models of three kinds, and the loop with autocast and a scaler."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import torch
from torch import Tensor, nn
from torch.autograd.graph import saved_tensors_hooks
from torch.nn import functional as F

from bench import Setup, Step
from suites.workloads.layers import CLASSES, dense, normal


@dataclass(frozen=True)
class Task:
    """How a model is made, one batch, and whether gradients keep their memory from step to step.

    Each arm makes its own model, so that no second copy of it fills the memory.
    """

    make: Callable[[], nn.Module]
    x: Tensor
    labels: Tensor
    keeps_gradients: bool = False

    def model(self) -> nn.Module:
        """A new model on the batch's device."""
        with self.x.device:
            return self.make()


def task(setup: Setup) -> Task:
    """The point's model and a random batch; the dense ones differ in the batch, from small to large."""
    torch.manual_seed(setup.seed)
    kind, device = setup.point(str), setup.device
    if kind == "transformer":
        width, depth = setup.pick(full=64, smoke=8, cuda=1024), setup.pick(full=2, smoke=1, cuda=6)
        rows, tokens = setup.pick(full=8, smoke=2, cuda=16), setup.pick(full=64, smoke=4, cuda=512)
        x, labels = normal(rows, tokens, width, device=device), torch.randint(CLASSES, (rows * tokens,))
        return Task(partial(transformer, width, depth), x, labels.to(device))
    if kind == "convolutions":
        width, side = setup.pick(full=8, smoke=4, cuda=64), setup.pick(full=32, smoke=16, cuda=160)
        rows = setup.pick(full=8, smoke=4, cuda=64)
        x, labels = normal(rows, 3, side, side, device=device), torch.randint(CLASSES, (rows,))
        return Task(partial(convolutions, width), x, labels.to(device))
    width, depth = setup.pick(full=256, smoke=8, cuda=2048), setup.pick(full=8, smoke=2, cuda=8)
    rows = {
        "accumulating-small-batch": setup.pick(full=16, smoke=2),
        "dense-small-batch": setup.pick(full=16, smoke=2),
        "dense-middle-batch": setup.pick(full=512, smoke=16, cuda=2048),
        "dense-large-batch": setup.pick(full=2048, smoke=64, cuda=16384),
    }[kind]
    x, labels = normal(rows, width, device=device), torch.randint(CLASSES, (rows,))
    return Task(partial(dense, width, depth), x, labels.to(device), keeps_gradients="accumulating" in kind)


def convolutions(width: int) -> nn.Sequential:
    """Four pairs of convolution, BatchNorm and ReLU; each pair after the first halves the sides, doubles the width."""
    channels = [3, width, width, 2 * width, 2 * width, 4 * width, 4 * width, 8 * width, 8 * width]
    layers: list[nn.Module] = []
    for i, (a, b) in enumerate(pairwise(channels)):
        stride = 2 if i in (2, 4, 6) else 1
        layers += [nn.Conv2d(a, b, 3, stride, padding=1, bias=False), nn.BatchNorm2d(b), nn.ReLU()]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels[-1], CLASSES))


def transformer(width: int, depth: int) -> nn.Sequential:
    """Encoder layers with heads of up to 64, and a class for every token."""
    layer = partial(nn.TransformerEncoderLayer, dim_feedforward=4 * width, dropout=0.0, batch_first=True)
    layers = [layer(width, nhead=max(2, width // 64), norm_first=True) for _ in range(depth)]
    return nn.Sequential(*layers, nn.Flatten(0, 1), nn.Linear(width, CLASSES))


def autocast(device: torch.device, kind: torch.dtype | None) -> torch.autocast:
    """Mixed precision with ``kind``; None is float32 all through."""
    return torch.autocast(device.type, dtype=kind, enabled=kind is not None)


def scaler(device: torch.device, kind: torch.dtype | None) -> torch.amp.GradScaler:
    """A gradient scaler, switched off unless ``kind`` is float16: only that has too small a range to do without."""
    return torch.amp.GradScaler(device.type, enabled=kind == torch.float16)


def training(t: Task, model: nn.Module, kind: torch.dtype | None) -> Step:
    """A step trains the model on the batch, in mixed precision with ``kind``, and returns the loss."""
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    scaling = scaler(t.x.device, kind)

    def step() -> Tensor:
        optimizer.zero_grad(set_to_none=not t.keeps_gradients)
        with autocast(t.x.device, kind):
            loss = F.cross_entropy(model(t.x), t.labels)
        scaling.scale(loss).backward()
        scaling.step(optimizer)
        scaling.update()
        return loss.detach()

    return step


def bytes_saved(step: Step, besides: Iterable[Tensor]) -> tuple[object, int]:
    """Run a step; its result, and the bytes that its graph keeps for the backward ``besides`` these tensors.

    Nothing that is saved is freed before the backward, so a place in memory stands for one storage.
    """
    known = {t.untyped_storage().data_ptr() for t in besides}
    kept: dict[int, int] = {}

    def pack(t: Tensor) -> Tensor:
        kept[t.untyped_storage().data_ptr()] = t.untyped_storage().nbytes()
        return t

    with saved_tensors_hooks(pack, lambda t: t):
        result = step()
    return result, sum(nbytes for place, nbytes in kept.items() if place not in known)
