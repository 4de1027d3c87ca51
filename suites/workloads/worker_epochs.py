"""An epoch of loading and training, with how long the training waited and what CPU time both took."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

import psutil
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

from bench import Metric, Setup, Step, share

BATCH = 8
CLASSES = 10
WAIT_SHARE = share(lambda r: r["waited"], "wait share", better="lower", exact=False)
CPU_TIME = Metric("count", "CPU time of all processes", "s", zone=0.05, read=lambda r: r["cpu"], exact=False)


@dataclass(frozen=True)
class Epoch:
    """What is loaded, a classifier of it on its device, by how many workers, and whether they stay between epochs."""

    samples: Dataset[Tensor]
    classifier: nn.Linear
    workers: int
    kept: bool = True


def epoch(e: Epoch, workers: int) -> Step:
    """A step loads every sample once and trains on it: the sum of each batch, the share of waiting, CPU seconds."""
    kept = e.kept and workers > 0
    loader = DataLoader(e.samples, batch_size=BATCH, num_workers=workers, persistent_workers=kept)

    def step() -> dict[str, object]:
        e.classifier.zero_grad()
        used, sums, waited = _cpu_seconds(), [], 0.0
        begin = asked = time.perf_counter()
        for batch in loader:
            waited += time.perf_counter() - asked
            x = batch.to(e.classifier.weight.device).flatten(1)
            e.classifier(x.float()).logsumexp(1).sum().backward()
            sums.append(x.sum())
            asked = time.perf_counter()
        return {
            "sums": torch.stack(sums).cpu(),
            "waited": waited / (time.perf_counter() - begin),
            "cpu": _cpu_seconds() - used,
        }

    return step


def classifier(width: int, device: torch.device) -> nn.Linear:
    """The least model that there is to train: one layer from all that a sample holds to a few classes."""
    return nn.Linear(width, CLASSES).to(device)


def workers_at(setup: Setup) -> int:
    """How many workers the point asks for: a number, as many as ``cores`` or twice that, four for ``short-epochs``."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    named: dict[object, int] = {"cores": cores, "twice-the-cores": 2 * cores, "short-epochs": 4}
    return named[setup.value] if setup.value in named else setup.point(int)


def _cpu_seconds() -> float:
    """Of this process, of its workers, and of those that have ended."""
    own = psutil.Process()
    workers = [child.cpu_times() for child in own.children(recursive=True)]
    return sum(own.cpu_times()[:4]) + sum(t.user + t.system for t in workers)
