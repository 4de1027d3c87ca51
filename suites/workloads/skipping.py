"""A loop over digits that leaves batches out, or makes an update of several, beside the one that it is meant to be."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from bench import Setup
from suites.workloads.loops import Task, descended, joined, moved, task

RATE = 0.1
MICRO_BATCHES = 4


@dataclass(frozen=True)
class Loop:
    """What is trained, where batches are skipped (``before-backward``, ``after-backward``), backwards per update."""

    task: Task
    skip: str
    k: int

    def skips(self, i: int) -> bool:
        """Whether the loop leaves batch ``i`` out."""
        return bool(self.skip) and i % 4 == 3

    def true_change(self) -> Tensor:
        """How far the weights move when each update is made from one batch of what is not skipped."""
        kept = [batch for i, batch in enumerate(self.task.batches) if not self.skips(i)]
        whole = [joined(kept[i : i + self.k]) for i in range(0, len(kept), self.k)]
        return moved(descended(self.task.model, whole, RATE), self.task.model)


def loop(setup: Setup) -> Loop:
    """Every fourth batch is skipped at points ``skip-…``; four backwards make an update at ``accumulating``."""
    case = setup.point(str)
    skip = case.removeprefix("skip-") if case.startswith("skip-") else ""
    batches = setup.pick(full=48, smoke=8)
    return Loop(task(setup.seed, batches, rows=32), skip, MICRO_BATCHES if case == "accumulating" else 1)
