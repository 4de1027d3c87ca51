"""Large files are said to be better opened with np.memmap or h5py than loaded whole.

A step sums rows of 64 KiB out of a file of 64 MiB, one by one in random order. The anti-pattern loads the whole file at
the first step, the recommended arm maps it with np.memmap, the variant reads it through h5py. Where the file is larger
than memory, the process may allocate no more than half of it. The first step has the opening in it; the file is in the
system's page cache.

Theory: a mapping costs the pages that are touched, so a tenth read is a tenth in memory. Read whole, it takes as much
as the loaded file, but the kernel may take such pages back. Data that fit in memory are then only read anew at every
access: h5py goes through its library for each row.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, exactly, first_step, outcome, time, tree_memory
from suites.workloads.big_files import ROW, BigFile, allowed, big_file, reading


def sums(f: BigFile, opened: Callable[[BigFile], Any]) -> Step:
    file: Any = None

    def step() -> Tensor:
        nonlocal file
        with allowed(f.allowance):
            if file is None:
                file = opened(f)
            return torch.stack(
                [torch.from_numpy(np.array(file[row])).view(torch.int64).sum() for row in f.rows.tolist()]
            )

    return step


def load_all(f: BigFile) -> Step:
    return sums(f, lambda f: np.fromfile(f.raw, dtype=np.uint8).reshape(f.shape))


def map_memory(f: BigFile) -> Step:
    return sums(f, lambda f: np.memmap(f.raw, dtype=np.uint8, mode="r", shape=f.shape))


def through_h5py(f: BigFile) -> Step:
    import h5py

    return sums(f, lambda f: h5py.File(f.hdf5, "r")["rows"])


def as_written(setup: Setup) -> None:
    import h5py

    raw, hdf5 = big_file(20)
    mapped = np.memmap(raw, dtype=np.uint8, mode="r", shape=(20, ROW))
    torch.from_numpy(mapped[0])
    torch.from_numpy(h5py.File(hdf5, "r")["rows"][0])


PAIR = Pair(
    claims=("memory-mapping",),
    inputs=reading,
    anti_pattern=load_all,
    recommended=map_memory,
    variants={"through_h5py": through_h5py},
    same=exactly,
    metrics=(tree_memory, first_step, time, outcome),
    axis=Axis("file", full=("larger-than-memory", "read-in-part"), outside=("all-of-it",), smoke=("read-in-part",)),
    needs=Needs(cpu=True, packages=("h5py",)),
)
AS_WRITTEN = AsWritten(claim="memory-mapping", where="F 2", usage=as_written, needs=Needs(cpu=True, packages=("h5py",)))
