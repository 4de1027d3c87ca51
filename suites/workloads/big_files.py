"""Files of rows to be read in part or whole, as raw bytes and as HDF5, and a limit on what a process may allocate."""

from __future__ import annotations

import contextlib
import io
import resource
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from bench import Setup
from suites.workloads.cache import cached

ROW = 64 * 1024
Table = np.ndarray[tuple[int, int], np.dtype[np.uint8]]


@dataclass(frozen=True)
class BigFile:
    """The same rows of bytes in two files, which of them to read, and how many bytes may be allocated beside."""

    raw: Path
    hdf5: Path
    shape: tuple[int, int]
    rows: Tensor
    allowance: int | None = None


def big_file(rows: int) -> tuple[Path, Path]:
    """Random bytes in ``rows`` of 64 KiB each, kept in the cache."""
    return cached(f"rows-{rows}.bin", partial(_raw, rows)), cached(f"rows-{rows}.h5", partial(_hdf5, rows))


def table(rows: int) -> Table:
    """What is in the files."""
    return np.random.default_rng(0).integers(256, size=(rows, ROW), dtype=np.uint8)


def _raw(rows: int) -> bytes:
    return table(rows).tobytes()


def _hdf5(rows: int) -> bytes:
    import h5py  # an extra: the pairs that come here say Needs(packages=("h5py",))

    buffer = io.BytesIO()
    with h5py.File(buffer, "w") as file:
        file["rows"] = table(rows)
    return buffer.getvalue()


def reading(setup: Setup) -> BigFile:
    """64 MiB of which a tenth is read, or all; or read where half of that is all that may be allocated."""
    torch.manual_seed(setup.seed)
    limited = setup.value == "larger-than-memory"
    rows = 1024 if limited else setup.pick(full=1024, smoke=20)
    chosen = torch.randperm(rows)[: rows if setup.value == "all-of-it" else rows // 10]
    return BigFile(*big_file(rows), (rows, ROW), chosen, rows * ROW // 2 if limited else None)


@contextlib.contextmanager
def allowed(more: int | None) -> Iterator[None]:
    """Inside, the process may allocate so many bytes more (no limit for None), as if there were no more memory."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    if more is not None:
        resource.setrlimit(resource.RLIMIT_DATA, (_data_bytes() + more, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def _data_bytes() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmData:"))
