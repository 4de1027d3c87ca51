"""A ResNet that learns photographs, from JPEG files through a loader, or from batches that were decoded beforehand.

The photographs are crops of two pictures, and which of the two is the class. If ``$TORCHPROOF_IMAGE_FOLDER`` is set,
they are the JPEG files below that folder, and its subfolders are the classes.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import torch
from PIL import Image
from torch import Tensor, nn
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.utils.data import Dataset, default_collate
from torchvision.models.resnet import BasicBlock, resnet18, resnet50
from torchvision.transforms import CenterCrop, Compose, Resize

from bench import Setup
from suites.workloads.photographs import field_guide_transform, photographs
from suites.workloads.practices import Batch, Options, Workload, loader, simulated

FOLDER = "TORCHPROOF_IMAGE_FOLDER"
SUFFIXES = {".jpg", ".jpeg"}
BATCHES = 2
DISTINCT = 16


@dataclass(frozen=True)
class Labelled:
    """JPEG files, the number of each one's class, and how many classes there are."""

    paths: list[Path]
    labels: list[int]
    classes: int


class Photographs(Dataset[tuple[Tensor, int]]):
    """Decodes a file per sample, and resizes, crops and normalises it as the field guide does, to ``side`` pixels."""

    def __init__(self, files: Labelled, side: int) -> None:
        self._files = files
        # The guide's own proportions: 256 pixels before the crop and 224 after it.
        _, _, *rest = field_guide_transform().transforms
        self._transform = Compose([Resize(side * 8 // 7), CenterCrop(side), *rest])

    def __len__(self) -> int:
        return len(self._files.paths)

    def __getitem__(self, index: int) -> tuple[Tensor, int]:
        with Image.open(self._files.paths[index]) as image:
            return self._transform(image.convert("RGB")), self._files.labels[index]


def from_files(setup: Setup) -> Workload:
    """Batches that a loader decodes anew in each pass, in its workers if the options have some."""
    batch = setup.pick(full=4, smoke=4, cuda=64)
    files = labelled(setup, BATCHES * batch)
    decode = partial(decoded, batch=batch, workers=setup.pick(full=4, smoke=1, cuda=8), device=setup.device)
    return _workload(setup, files, Photographs(files, _side(setup)), decode)


def in_memory(setup: Setup) -> Workload:
    """Batches that are on the device before training begins: a few photographs, repeated until they fill them."""
    return _in_memory(setup, _side(setup))


def larger_in_memory(setup: Setup) -> Workload:
    """The same with three times as many pixels a side."""
    return _in_memory(setup, 3 * _side(setup))


def _in_memory(setup: Setup, side: int) -> Workload:
    batch = setup.pick(full=4, smoke=4, cuda=256)
    files = labelled(setup, min(BATCHES * batch, DISTINCT))
    # Decoding looks at numbers, which fake tensors lack.
    with unset_fake_temporarily():
        images, labels = default_collate(list(Photographs(files, side)))
        rows = (torch.arange(BATCHES * batch) % len(labels)).split(batch)
        parts = [(images[i], labels[i]) for i in rows]
    batches = [(x.to(setup.device), y.to(setup.device)) for x, y in parts]
    return _workload(setup, files, batches, lambda samples, options: samples)


def labelled(setup: Setup, number: int) -> Labelled:
    """``number`` files, repeated if there are fewer. Raises ValueError if the user's own folder has no JPEG file."""
    folder = os.environ.get(FOLDER)
    if not folder:
        paths = photographs(number, side=setup.pick(full=400, smoke=48))
        return Labelled(paths, [i % 2 for i in range(number)], classes=2)
    found = sorted(p for p in Path(folder).rglob("*") if p.suffix.lower() in SUFFIXES)
    if not found:
        raise ValueError(f"{FOLDER}={folder}: no file below it ends in .jpg or .jpeg")
    names = sorted({_subfolder(p, folder) for p in found})
    random.Random(setup.seed).shuffle(found)
    paths = list(islice(cycle(found), number))
    return Labelled(paths, [names.index(_subfolder(p, folder)) for p in paths], classes=max(2, len(names)))


def decoded(samples: Photographs, options: Options, batch: int, workers: int, device: torch.device) -> Iterable[Batch]:
    """A loader of the samples; for fake tensors, its batches made beforehand."""
    if not simulated(device):
        return loader(samples, batch, workers, options)
    with unset_fake_temporarily():
        return list(loader(samples, batch, 0, options))


def _subfolder(path: Path, folder: str) -> tuple[str, ...]:
    return path.parent.relative_to(folder).parts[:1]


def _side(setup: Setup) -> int:
    return setup.pick(full=64, smoke=32, cuda=224)


def _workload(
    setup: Setup, files: Labelled, samples: object, load: Callable[[Any, Options], Iterable[Batch]]
) -> Workload:
    model = partial(_network, setup.pick(full=18, smoke=4, cuda=50), files.classes)
    return Workload(setup.device, setup.seed, model, samples, load, partial(_optimizer, setup.device))


def _network(depth: int, classes: int) -> nn.Module:
    """The ResNet of that depth; 4 is a tiny run's, with the first block of ResNet-18 and no further ones."""
    if depth != 4:
        return (resnet50 if depth == 50 else resnet18)(num_classes=classes)
    stem = (nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1))
    return nn.Sequential(*stem, BasicBlock(64, 64), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, classes))


def _optimizer(device: torch.device, parameters: Iterable[nn.Parameter], fused: bool | None) -> torch.optim.SGD:
    # Fake tensors have no fused SGD.
    return torch.optim.SGD(parameters, lr=1e-4, momentum=0.9, fused=None if simulated(device) else fused)
