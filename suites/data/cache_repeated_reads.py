"""Reading the same data in every epoch is said to make the disk the bottleneck, which a copy in memory mends.

A step is an epoch: each of 64 files of 256 KiB is read and summed. The anti-pattern reads them every time, the
recommended arm at the first access only, so that the first step is the cold epoch and the time that of a warm one. The
tree's memory is what the copy costs.

Theory: the system keeps what was read in its page cache, so reading again is a copy in memory and no disk at all
(``in-page-cache``), as long as the files fit beside everything else. ``from-disk`` is what happens when they do not:
each file is dropped from the page cache after it was read. At ``photographs`` the copy is of decoded pixels, and what
is saved is decoding, not reading.
"""

from pathlib import Path

import torch
from torch import Tensor

from bench import Axis, Needs, Pair, Step, exactly, first_step, time, tree_memory
from suites.workloads.reread import Files, files, read, total


def read_every_epoch(f: Files) -> Step:
    return lambda: torch.stack([total(read(f, path)) for path in f.paths])


def kept_in_memory(f: Files) -> Step:
    kept: dict[Path, Tensor] = {}

    def step() -> Tensor:
        for path in f.paths:
            if path not in kept:
                kept[path] = read(f, path)
        return torch.stack([total(kept[path]) for path in f.paths])

    return step


PAIR = Pair(
    claims=("cache-repeated-reads",),
    inputs=files,
    anti_pattern=read_every_epoch,
    recommended=kept_in_memory,
    same=exactly,
    metrics=(time, first_step, tree_memory),
    axis=Axis("files", full=("in-page-cache", "from-disk"), outside=("photographs",)),
    needs=Needs(cpu=True, packages=("sklearn",)),
    inputs_read="at set-up",
)
