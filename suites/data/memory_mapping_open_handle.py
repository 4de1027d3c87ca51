"""A data set on an HDF5 file is handed to processes that read it: with the file open, or to be opened by the reader.

The anti-pattern opens the file when the data set is made, the recommended arm at the first read. Handed over is by
forking, as a DataLoader's workers are on Linux, or by pickling, which is what a spawned worker gets. Counted are the
rows that come out wrong.

Theory: an open handle cannot be pickled. Forked, it is shared with its file position, which does no harm where every
read carries a position of its own, as HDF5's do today on Linux.
"""

import pickle
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from bench import Axis, Needs, Pair, Setup, Step, count, may_differ, outcome, tree_memory
from suites.workloads.big_files import big_file, table


@dataclass(frozen=True)
class Handed:
    """How a data set gets to who reads it, and the rows that are to be read."""

    way: str
    rows: Tensor


def handed(setup: Setup) -> Handed:
    return Handed(setup.point(str), torch.from_numpy(table(setup.pick(full=200, smoke=20))))


def rows_wrong(h: Handed, kind: Callable[..., Dataset[Tensor]]) -> Step:
    samples = kind(big_file(len(h.rows))[1], len(h.rows))

    def step() -> int:
        if h.way == "forked":
            found = list(DataLoader(samples, batch_size=None, num_workers=2, multiprocessing_context="fork"))
        else:
            copy = pickle.loads(pickle.dumps(samples))
            found = [copy[i] for i in range(len(h.rows))]
        return sum(not row.equal(wanted) for row, wanted in zip(found, h.rows, strict=True))

    return step


def opened_before(h: Handed) -> Step:
    from suites.workloads.handles import Shared

    return rows_wrong(h, Shared)


def opened_by_the_reader(h: Handed) -> Step:
    from suites.workloads.handles import Own

    return rows_wrong(h, Own)


PAIR = Pair(
    claims=("memory-mapping",),
    inputs=handed,
    anti_pattern=opened_before,
    recommended=opened_by_the_reader,
    same=may_differ("the rows", because="rows read wrong are what is counted"),
    metrics=(tree_memory, count(lambda wrong: wrong, "rows read wrong"), outcome),
    axis=Axis("handed-over", outside=("forked", "pickled")),
    needs=Needs(cpu=True, packages=("h5py",)),
)
