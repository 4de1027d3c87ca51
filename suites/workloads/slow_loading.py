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

from bench import Setup, Step

WORKERS = 2
PERIOD = 16
STEP_S = 2e-3
BURST_S = 8 * STEP_S
USUAL_S = STEP_S / 4


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


def feed(setup: Setup) -> Feed:
    """Sixteen batches through two workers, or none at the point 0: bursty, or at ``even`` as slow but all alike."""
    torch.manual_seed(setup.seed)
    number, values = setup.pick(full=PERIOD, smoke=4), setup.pick(full=1 << 14, smoke=16)
    batches = torch.randint(256, (number, values), dtype=torch.uint8)
    workers = 0 if setup.value == 0 else WORKERS
    return Feed(batches, seconds_to_load(str(setup.value), number), STEP_S, workers)


def seconds_to_load(case: str, number: int) -> list[float]:
    """One batch in sixteen takes ``BURST_S``, the others ``USUAL_S``; at ``even`` all take their mean."""
    period = [BURST_S if i == PERIOD // 2 else USUAL_S for i in range(PERIOD)]
    if case == "even":
        period = [sum(period) / PERIOD] * PERIOD
    return [period[i % PERIOD] for i in range(number)]


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
