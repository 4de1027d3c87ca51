"""What a dataset knows of its samples, path and label, kept as Python objects or in arrays."""

from __future__ import annotations

import time

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

Sample = tuple[int, int]
LABELS = 1000
BATCH = 1000
PATH = "train/{:04}/photograph-{:08}.jpg"


def path_of(index: int) -> str:
    """The file of the sample."""
    return PATH.format(index % LABELS, index)


class AsObjects(Dataset[Sample]):
    """A dict per sample. A sample is the path's length and its label, as if the file had been opened."""

    def __init__(self, size: int) -> None:
        self._records = [{"path": path_of(i), "label": i % LABELS} for i in range(size)]

    def __len__(self) -> int:
        return len(self._records)

    def __getitem__(self, index: int) -> Sample:
        record = self._records[index]
        return len(str(record["path"])), int(record["label"])


class AsArrays(Dataset[Sample]):
    """An array of bytes for the paths and one of numbers for the labels; the same samples."""

    def __init__(self, size: int) -> None:
        width = len(path_of(0))
        self._paths = np.fromiter((path_of(i).encode() for i in range(size)), dtype=f"S{width}", count=size)
        self._labels = np.arange(size, dtype=np.int32) % LABELS

    def __len__(self) -> int:
        return len(self._paths)

    def __getitem__(self, index: int) -> Sample:
        return len(self._paths[index].decode()), int(self._labels[index])


def epoch(dataset: Dataset[Sample], workers: int, seed: int) -> dict[str, int]:
    """Every sample once in random order, so that each worker comes to look at all parts of the metadata."""
    order = torch.Generator().manual_seed(seed)
    kept = workers > 0
    loader = DataLoader(
        dataset, batch_size=BATCH, shuffle=True, num_workers=workers, generator=order, persistent_workers=kept
    )
    letters = labels = 0
    for lengths, numbers in loader:
        letters += int(lengths.sum())
        labels += int(numbers.sum())
    # The workers are still there, and their memory with them: long enough for whoever looks at it now and then.
    time.sleep(0.1)
    return {"letters": letters, "labels": labels}
