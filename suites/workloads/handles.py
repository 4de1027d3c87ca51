"""An HDF5 file read by processes that did not open it: through a handle they were given, or one of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import torch
from torch import Tensor
from torch.utils.data import Dataset


class Shared(Dataset[Tensor]):
    """Opens the file when it is made; whoever gets a copy gets that handle."""

    def __init__(self, path: Path, rows: int) -> None:
        self._rows = rows
        self._file = h5py.File(path, "r")

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, index: int) -> Tensor:
        return torch.from_numpy(self._file["rows"][index])


class Own(Dataset[Tensor]):
    """Opens the file at the first read, in the process that reads."""

    def __init__(self, path: Path, rows: int) -> None:
        self._path = path
        self._rows = rows
        self._file: Any = None

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, index: int) -> Tensor:
        if self._file is None:
            self._file = h5py.File(self._path, "r")
        return torch.from_numpy(self._file["rows"][index])
