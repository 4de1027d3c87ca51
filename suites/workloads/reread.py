"""Files that are read every epoch, which the system's page cache holds or has been told to drop."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import Tensor
from torchvision.transforms.functional import pil_to_tensor

from bench import Setup
from suites.workloads.photographs import photographs

FILE = 256 * 1024


@dataclass(frozen=True)
class Files:
    """Raw bytes or photographs, and whether each is to be read from the disk every time."""

    paths: list[Path]
    from_disk: bool


def files(setup: Setup) -> Files:
    """Sixty-four files of 256 KiB in the arm's folder, or 16 photographs at the point ``photographs``.

    The page cache does not hold the former yet, so that the first epoch is a cold one.
    """
    if setup.value == "photographs":
        return Files(photographs(setup.pick(full=16, smoke=2)), from_disk=False)
    torch.manual_seed(setup.seed)
    paths = [setup.folder / f"{i:04}.bin" for i in range(setup.pick(full=64, smoke=4))]
    for path in paths:
        with path.open("wb") as file:
            file.write(torch.randint(256, (FILE,), dtype=torch.uint8).numpy().tobytes())
            file.flush()
            os.fsync(file.fileno())
        drop_from_page_cache(path)
    return Files(paths, from_disk=setup.value == "from-disk")


def drop_from_page_cache(path: Path) -> None:
    """Ask the system to forget what it holds of a file that is on disk; file systems in memory have nowhere else."""
    with path.open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def read(files: Files, path: Path) -> Tensor:
    """The file's bytes, or its pixels if it is a photograph."""
    if path.suffix == ".jpg":
        with Image.open(path) as image:
            return pil_to_tensor(image.convert("RGB"))
    found = torch.from_numpy(np.fromfile(path, dtype=np.uint8))
    if files.from_disk:
        drop_from_page_cache(path)
    return found


def total(content: Tensor) -> Tensor:
    """The sum of the content as words of eight bytes, which takes no memory beside."""
    return content.flatten().view(torch.int64).sum()
