"""Photographs as a data set that does its work at every access, or that finds it done in a file."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import Tensor
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms

from bench import Setup
from suites.workloads.photographs import photographs

BATCH = 4
NORMALISE = transforms.Normalize(mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225))
TO_FLOATS = transforms.Compose([transforms.ConvertImageDtype(torch.float32), NORMALISE])


@dataclass(frozen=True)
class Photographs:
    """The files, in the arm's own folder."""

    files: list[Path]

    @property
    def folder(self) -> Path:
        """Where they are, and where what is prepared goes."""
        return self.files[0].parent


def collection(setup: Setup) -> Photographs:
    """Sixteen JPEG files of 400 x 400 pixels."""
    files = photographs(setup.pick(full=16, smoke=4))
    return Photographs([Path(shutil.copy(path, setup.folder)) for path in files])


def to_bytes(crop: Callable[[Image.Image], Image.Image]) -> Callable[[Path], Tensor]:
    """The work of an access: decode, resize and crop into a uint8 tensor (3, height, width)."""
    transform = transforms.Compose([transforms.Resize(256), crop, transforms.PILToTensor()])

    def work(path: Path) -> Tensor:
        with Image.open(path) as image:
            found: Tensor = transform(image.convert("RGB"))
        return found

    return work


class Worked(Dataset[Tensor]):
    """Does ``work`` on the item of the access."""

    def __init__(self, items: list[Path] | Tensor, work: Callable[..., Tensor]) -> None:
        self._items = items
        self._work = work

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: int) -> Tensor:
        return self._work(self._items[index])


def stored(p: Photographs, work: Callable[[Path], Tensor]) -> Tensor:
    """What ``work`` makes of every file, done now, in a file that is mapped into memory."""
    path = p.folder / "prepared.npy"
    np.save(path, torch.stack([work(file) for file in p.files]).numpy())
    return torch.from_numpy(np.load(path, mmap_mode="r+"))


def epoch(samples: Dataset[Tensor]) -> list[Tensor]:
    """Every sample once, in batches."""
    return list(DataLoader(samples, batch_size=BATCH))
