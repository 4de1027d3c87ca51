"""Training with one planted bottleneck, and what can be seen of it from outside: utilisation, stalls, waiting."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import mean

import torch
from pynvml import NVMLError
from torch import Tensor, nn

CAUSES = ("preprocessing", "computing", "storage", "launching")
LOW, STALLED = 0.7, 1.0


@dataclass(frozen=True)
class Seen:
    """The GPU's utilisation (NaN where the driver refuses), seconds of every step, and the loader's share of them."""

    utilisation: float
    steps: tuple[float, ...]
    waited: float

    @property
    def unevenness(self) -> float:
        """Standard deviation of the steps over their mean."""
        average = mean(self.steps)
        return math.sqrt(mean((s - average) ** 2 for s in self.steps)) / average


def rule(seen: Seen) -> str:
    """The field guide's table (section 4): stalls are storage, low utilisation is loading, high is computing."""
    if seen.unevenness > STALLED:
        return "storage"
    return "preprocessing" if seen.utilisation < LOW else "computing"


def rule_with_waiting(seen: Seen) -> str:
    """The same, but low utilisation without waiting for data is Python that launches too little work at a time."""
    found = rule(seen)
    return "launching" if found == "preprocessing" and seen.waited < 1 - LOW else found


def training(cause: str, device: torch.device, scale: int) -> tuple[Callable[[], Tensor], Callable[[Tensor], Tensor]]:
    """How the next batch is made and what is done with it; one of the two is slow, as ``cause`` says.

    ``scale`` is the width of the products: 4096 fills a large GPU, 8 is for trying that it runs.
    """
    wide = scale if cause == "computing" else max(2, scale // 64)
    model = nn.Sequential(*(nn.Linear(wide, wide, device=device) for _ in range(50 if cause == "launching" else 8)))
    batches = _batches(cause, wide, scale)
    return lambda: next(batches).to(device), lambda x: model(x).square().mean()


def _batches(cause: str, width: int, scale: int) -> Iterator[Tensor]:
    """Preprocessing sorts on the CPU at each batch; storage is even but for a long wait at every eighth."""
    number = 0
    while True:
        number += 1
        x = torch.randn(256, width)
        if cause == "preprocessing":
            x = x + torch.randn(scale * 64).sort().values[0]
        if cause == "storage" and number % 8 == 0:
            time.sleep(scale / 40_000)
        yield x


def watch(cause: str, device: torch.device, scale: int, seconds: float) -> Seen:
    """Train for so long and look on; at least eight steps, so that every bottleneck shows itself once."""
    fetch, update = training(cause, device, scale)
    steps: list[float] = []
    used: list[float] = []
    waited, begin = 0.0, time.perf_counter()
    while len(steps) < 8 or time.perf_counter() - begin < seconds:
        before = time.perf_counter()
        x = fetch()
        waited += time.perf_counter() - before
        update(x).backward()
        if device.type == "cuda":
            torch.cuda.synchronize()
        steps.append(time.perf_counter() - before)
        if len(steps) % 16 == 0:
            used.append(utilisation(device))
    return Seen(mean(used) if used else math.nan, tuple(steps), waited / sum(steps))


def utilisation(device: torch.device) -> float:
    """The share of the last moments in which a kernel ran; NaN without a GPU or where the driver does not say."""
    if device.type != "cuda" or not torch.cuda.is_available():
        return math.nan
    try:
        return torch.cuda.utilization(device) / 100
    except (ModuleNotFoundError, NVMLError):
        return math.nan
