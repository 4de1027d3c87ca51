"""Work that is done for many things alike, in as many processes as there are cores."""

from __future__ import annotations

import gc
import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

from bench.noise import usable_cores

Item = TypeVar("Item")
Result = TypeVar("Result")


def on_all_cores(function: Callable[[Item], Result], items: Sequence[Item], chunk: int = 1) -> list[Result]:
    """``function`` of every item, in the order given; ``chunk`` items are too few for a process of their own.

    Processes are forked, since importing everything anew would take longer than most of this work. Where that cannot
    be, and for few items, it is done here.
    """
    workers = min(len(usable_cores()), len(items) // chunk)
    if workers < 2 or "fork" not in multiprocessing.get_all_start_methods():
        return [function(item) for item in items]
    # They live for this work alone and leave no cycles worth looking for.
    with ProcessPoolExecutor(workers, multiprocessing.get_context("fork"), initializer=gc.disable) as pool:
        return list(pool.map(function, items, chunksize=chunk))
