"""Datasets that hand out numbers, from state of their own or from the index alone, and a record of what arrives.

A sample is the pair (its number, how many samples had to be loaded for it).
"""

from __future__ import annotations

from collections.abc import Iterator

from torch.utils.data import DataLoader, Dataset, IterableDataset, get_worker_info

Sample = tuple[int, int]
BATCH = 4


class ByIndex(Dataset[Sample]):
    """Loads the sample that is asked for."""

    def __init__(self, size: int) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: int) -> Sample:
        return index, 1


class ByPosition(ByIndex):
    """Loads the next sample, whichever is asked for, as a reader of a file does that goes on from where it was."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._position = 0

    def __getitem__(self, index: int) -> Sample:
        number = self._position % self._size
        self._position += 1
        return number, 1


class Remembering(ByIndex):
    """Keeps what it has loaded, and loads it no second time."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._loaded: set[int] = set()

    def __getitem__(self, index: int) -> Sample:
        new = index not in self._loaded
        self._loaded.add(index)
        return index, int(new)


class LoadedBefore(ByIndex):
    """Has loaded every sample before the first is asked for."""

    def __getitem__(self, index: int) -> Sample:
        return index, 0


class Stream(IterableDataset[Sample]):
    """All samples in their order; of several workers each has its part if ``sharded``, else each has them all."""

    def __init__(self, size: int, sharded: bool) -> None:
        self._size = size
        self._sharded = sharded

    def __iter__(self) -> Iterator[Sample]:
        worker = get_worker_info()
        first, step = (worker.id, worker.num_workers) if worker is not None and self._sharded else (0, 1)
        return ((number, 1) for number in range(first, self._size, step))


def load(dataset: Dataset[Sample], size: int, workers: int, epochs: int, loaded: int = 0) -> dict[str, float]:
    """Run the epochs through a loader: how often samples arrived twice or not at all, and were loaded once more.

    ``loaded`` samples were loaded before the first epoch; ``again`` is in shares of all samples.
    """
    loader = DataLoader(dataset, batch_size=BATCH, num_workers=workers)
    found = {"duplicates": 0.0, "missing": 0.0}
    for _ in range(epochs):
        arrived: list[int] = []
        for numbers, loads in loader:
            arrived += numbers.tolist()
            loaded += int(loads.sum())
        found["duplicates"] += len(arrived) - len(set(arrived))
        found["missing"] += size - len(set(arrived))
    return {**found, "again": loaded / size - 1}
