"""A training that waits for its data: samples that take a known time to load, and a step that takes a known time.

Both are waits and no work, as for a disk or a network and for a GPU, so that nothing hangs on the number of cores.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from bench import Step

WORKERS = 2


class Slow(Dataset[Tensor]):
    """A whole batch per index, after the seconds that its loading takes; ``loaded`` marks it, in whichever process."""

    def __init__(self, batches: Tensor, seconds: Sequence[float]) -> None:
        self._batches = batches
        self._seconds = seconds
        self.loaded = torch.zeros(len(batches), dtype=torch.bool).share_memory_()

    def __len__(self) -> int:
        return len(self._batches)

    def __getitem__(self, index: int) -> Tensor:
        time.sleep(self._seconds[index])
        self.loaded[index] = True
        return self._batches[index]


@dataclass(frozen=True)
class Feed:
    """Batches (number, values), the seconds that each takes to load, and those of a training step."""

    batches: Tensor
    seconds: list[float]
    step_s: float
    workers: int = WORKERS


def training(feed: Feed, prefetch_factor: int | None) -> Step:
    """An epoch: the sum of every batch, the share of the time spent waiting, and the most bytes that lay ready.

    The workers are kept, so that only the first step has their start in it.
    """
    slow = Slow(feed.batches, feed.seconds)
    loader = DataLoader(
        slow,
        batch_size=None,
        num_workers=feed.workers,
        prefetch_factor=prefetch_factor,
        persistent_workers=feed.workers > 0,
    )

    def step() -> dict[str, object]:
        slow.loaded.zero_()
        sums, waited, ahead = [], 0.0, 0
        begin = asked = time.perf_counter()
        for done, batch in enumerate(loader, 1):
            waited += time.perf_counter() - asked
            ahead = max(ahead, (int(slow.loaded.sum()) - done) * batch.nbytes)
            sums.append(int(batch.sum()))
            time.sleep(feed.step_s)
            asked = time.perf_counter()
        return {"sums": sums, "waited": waited / (asked - begin), "ahead": ahead}

    return step
