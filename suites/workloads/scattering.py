"""A training by kernels that, on CUDA, may add their numbers up in another order each time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import Setup
from suites.workloads.compare import flat
from suites.workloads.layers import CLASSES, normal

RUNS = 3
STEPS = 4


@dataclass(frozen=True)
class Work:
    """One batch with labels, which group each row belongs to, how wide the layers are, and which kernel is used."""

    x: Tensor
    groups: Tensor
    labels: Tensor
    width: int
    kernel: str


def work(setup: Setup) -> Work:
    """Rows for ``index-add`` and ``linear``, images for ``convolution``; a label per group, or per image."""
    torch.manual_seed(setup.seed)
    kernel = setup.point(str)
    rows, width = setup.pick(full=64, smoke=16, cuda=65536), setup.pick(full=16, smoke=4, cuda=256)
    shape = (rows, width)
    if kernel == "convolution":
        rows = setup.pick(full=8, smoke=2, cuda=64)
        shape = (rows, width, *[setup.pick(full=8, smoke=4, cuda=32)] * 2)
    outputs = rows // 8 if kernel == "index-add" else rows
    groups = torch.randint(outputs, (rows,)).to(setup.device)
    labels = torch.randint(CLASSES, (outputs,)).to(setup.device)
    return Work(normal(*shape, device=setup.device), groups, labels, width, kernel)


def weights_of_runs(w: Work, deterministic: bool) -> list[Tensor]:
    """The weights after each of a few runs from the same seed."""
    with deterministic_algorithms(deterministic):
        return [_train(w) for _ in range(RUNS)]


@contextmanager
def deterministic_algorithms(on: bool) -> Iterator[None]:
    """Inside, torch uses deterministic algorithms or does not; afterwards what was set before."""
    before = torch.are_deterministic_algorithms_enabled()
    torch.use_deterministic_algorithms(on)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before)


def _train(w: Work) -> Tensor:
    torch.manual_seed(0)
    with w.x.device:
        body = nn.Conv2d(w.width, w.width, 3, padding=1) if w.kernel == "convolution" else nn.Linear(w.width, w.width)
        head = nn.Linear(w.width, CLASSES)
    parameters = [*body.parameters(), *head.parameters()]
    optimizer = torch.optim.SGD(parameters, lr=0.1)
    for _ in range(STEPS):
        optimizer.zero_grad()
        features = torch.relu(body(w.x))
        if w.kernel == "convolution":
            features = features.mean((2, 3))
        if w.kernel == "index-add":
            features = features.new_zeros(len(w.labels), w.width).index_add(0, w.groups, features)
        F.cross_entropy(head(features), w.labels).backward()
        optimizer.step()
    return flat(parameters)
