"""A background load that comes and goes, as a neighbour on a shared machine does: to try a method with."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

LONGEST_S = 2.0


@contextmanager
def neighbours(number: int) -> Iterator[None]:
    """While this is open, ``number`` processes alternate between a busy core and sleep, each for up to two seconds."""
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=_come_and_go, args=(seed,), daemon=True) for seed in range(number)]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.join()


def _come_and_go(seed: int) -> None:
    chance, field = random.Random(seed), np.ones(1 << 20)
    parent = multiprocessing.parent_process()
    while parent is not None and parent.is_alive():
        until = time.monotonic() + chance.uniform(0.05, LONGEST_S)
        while time.monotonic() < until:
            field = field * 0.5 + 0.5
        time.sleep(chance.uniform(0.05, LONGEST_S))
