"""A training, a few short or long updates at a time, and the file that its log goes to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import torch

from bench import Setup
from suites.workloads.labelled import Labelled, labelled


@dataclass(frozen=True)
class Training:
    """What is trained, by how many updates a step, and the log."""

    work: Labelled
    updates: int
    log: Path


def training(setup: Setup) -> Training:
    """A random network and batch: at the point ``short`` an update takes next to no time, at ``long`` many lines' time.

    In between, where a line takes as much of an update as the zone is wide, a verdict would be a matter of chance.
    """
    torch.manual_seed(setup.seed)
    if setup.value == "short":
        rows, width = setup.pick(full=32, smoke=2, cuda=64), setup.pick(full=64, smoke=4, cuda=256)
    else:
        rows, width = setup.pick(full=256, smoke=4, cuda=4096), setup.pick(full=256, smoke=8, cuda=1024)
    work = labelled(rows, width, depth=4, device=setup.device)
    return Training(work, setup.pick(full=20, smoke=4), setup.folder / "log.txt")
