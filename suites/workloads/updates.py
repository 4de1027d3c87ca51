"""A training of a hundred updates, short or long ones, and the file that its log goes to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch

from bench import Setup
from suites.workloads.labelled import Labelled, labelled


@dataclass(frozen=True)
class Training:
    """What is trained, for how many updates, and the log."""

    work: Labelled
    updates: int
    log: Path


def training(setup: Setup) -> Training:
    """A random network and batch, so small at the point ``short`` that an update takes next to no time."""
    torch.manual_seed(setup.seed)
    if setup.value == "short":
        rows, width = setup.pick(full=32, smoke=2, cuda=64), setup.pick(full=64, smoke=4, cuda=256)
    else:
        rows, width = setup.pick(full=64, smoke=4, cuda=4096), setup.pick(full=128, smoke=8, cuda=1024)
    work = labelled(rows, width, depth=4, device=setup.device)
    return Training(work, setup.pick(full=100, smoke=4), setup.folder / "log.txt")
