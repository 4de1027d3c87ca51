"""A training step with a look at its gradients afterwards, and how often that look waits for the device."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import Setup, Step
from suites.workloads.host_reads import host_reads
from suites.workloads.layers import CLASSES, dense, first_bias_gradient, normal

Check = Callable[[nn.Module], bool]


@dataclass(frozen=True)
class Training:
    """A model and a batch with nothing wrong."""

    model: nn.Sequential
    x: Tensor
    labels: Tensor


def training(setup: Setup) -> Training:
    """Twelve wide layers; a hundred narrow ones at ``hundred-layers``; the head has no gradient at ``frozen-layer``."""
    torch.manual_seed(setup.seed)
    deep = setup.value == "hundred-layers"
    depth = setup.pick(full=100, smoke=6) if deep else setup.pick(full=12, smoke=2)
    width = setup.pick(full=64, smoke=4, cuda=256) if deep else setup.pick(full=256, smoke=8, cuda=2048)
    rows = setup.pick(full=32, smoke=4, cuda=1024)
    model = dense(width, depth).to(setup.device)
    model[-1].requires_grad_(setup.value != "frozen-layer")
    labels = torch.randint(CLASSES, (rows,)).to(setup.device)
    return Training(model, normal(rows, width, device=setup.device), labels)


def guarded(t: Training, check: Check, anomaly_mode: bool = False) -> Step:
    """A forward, a backward, and the check; the first step also counts the values that the check reads."""
    reads: list[int] = []

    def step() -> dict[str, object]:
        t.model.zero_grad()
        with torch.autograd.set_detect_anomaly(anomaly_mode):
            F.cross_entropy(t.model(t.x), t.labels).backward()
        if not reads:
            reads.append(host_reads(lambda: check(t.model)))
        found = check(t.model)
        return {"checked": {"found": found, "gradient": first_bias_gradient(t.model)}, "reads": reads[0]}

    return step


def no_check(model: nn.Module) -> bool:
    """Looks at nothing."""
    return False
