"""Faults as they get into data sets, planted into the digits one at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn import functional as F

from bench import Setup
from suites.workloads.digits import CLASSES, PIXELS, Digits, load_digits, perceptron

SIDE = 8

Plant = Callable[[Digits], Digits]


def _images(change: Callable[[Tensor], Tensor]) -> Plant:
    return lambda d: replace(d, train_x=change(d.train_x.clone()))


def _labels(change: Callable[[Tensor], Tensor]) -> Plant:
    return lambda d: replace(d, train_y=change(d.train_y.clone()))


def _set(tensor: Tensor, rows: object, value: float | Tensor) -> Tensor:
    tensor[rows] = value  # type: ignore[index]
    return tensor


def _rare(digits: Digits) -> Digits:
    """Nearly all of a class is missing."""
    kept = (digits.train_y != 3) | (torch.arange(len(digits.train_y)) % 20 == 0)
    return replace(digits, train_x=digits.train_x[kept], train_y=digits.train_y[kept])


def _leaked(digits: Digits) -> Digits:
    """Test images are among those to train on."""
    return replace(
        digits,
        train_x=torch.cat([digits.train_x, digits.test_x[:50]]),
        train_y=torch.cat([digits.train_y, digits.test_y[:50]]),
    )


def _twice(digits: Digits) -> Digits:
    """An image is there again with another label."""
    return replace(
        digits,
        train_x=torch.cat([digits.train_x, digits.train_x[:1]]),
        train_y=torch.cat([digits.train_y, (digits.train_y[:1] + 1) % CLASSES]),
    )


def _mirrored(digits: Digits) -> Digits:
    """Half the images are the wrong way round, as after an augmentation that digits do not bear."""
    images = digits.train_x.unflatten(1, (SIDE, SIDE)).flip(2).flatten(1)
    return replace(digits, train_x=torch.where(torch.arange(len(images))[:, None] % 2 == 0, images, digits.train_x))


def _wrong(y: Tensor) -> Tensor:
    """A tenth of the labels is that of another class."""
    return torch.where(torch.arange(len(y)) % 10 == 0, (y + 1) % CLASSES, y)


FAULTS: dict[str, dict[str, Plant]] = {
    "ranges": {
        "not scaled": _images(lambda x: x * 16),
        "scaled twice": _images(lambda x: x / 16),
        "NaN": _images(lambda x: _set(x, (5, 7), torch.nan)),
    },
    "labels": {
        "unknown class": _labels(lambda y: _set(y, 5, CLASSES)),
        "counted from 1": _labels(lambda y: y + 1),
        "class nearly missing": _rare,
    },
    "augmentation": {
        "blank images": _images(lambda x: _set(x, slice(0, 100), 0.0)),
        "normalised twice": _images(lambda x: (x - 0.5) / 0.5),
    },
    "duplicates": {"test images in training": _leaked, "one image, two labels": _twice},
    "looks-right": {"a tenth of the labels wrong": _labels(_wrong), "mirrored images": _mirrored},
}


@dataclass(frozen=True)
class Checked:
    """The digits as they are, the faults to plant, and the seed."""

    digits: Digits
    faults: dict[str, Plant]
    seed: int


def checked(setup: Setup) -> Checked:
    """The faults of the point; none at the point ``clean``."""
    return Checked(load_digits(setup.seed), FAULTS.get(setup.point(str), {}), setup.seed)


def train_an_epoch(digits: Digits, seed: int, batch: int = 64) -> float:
    """Train a perceptron on every image once; the sum of the losses."""
    torch.manual_seed(seed)
    model, total = perceptron(32), torch.zeros(())
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for x, y in zip(digits.train_x.split(batch), digits.train_y.split(batch), strict=True):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.detach()
    return float(total)


def asserted(digits: Digits) -> list[str]:
    """What assertions find: ranges, blank images, labels, their balance, duplicates."""
    x, y = digits.train_x, digits.train_y
    all_x = torch.cat([x, digits.test_x])
    known = bool(((y >= 0) & (y < CLASSES)).all())
    counts = torch.bincount(y.clamp(0, CLASSES), minlength=CLASSES)[:CLASSES]
    rules = {
        "the images have NaN or Inf": x.isfinite().all(),
        "the images leave the range from 0 to 1": x.min() >= 0 and x.max() <= 1,
        "the images do not use their range": x.max() > 0.5,
        "an image is blank": (x.amax(1) > x.amin(1)).all(),
        "a label is no class": known,
        "a class is rare": counts.min() > 0.5 * counts.float().mean(),
        "an image is there twice": len(all_x.unique(dim=0)) == len(all_x),
    }
    assert x.shape[1] == PIXELS
    return [said for said, holds in rules.items() if not holds]
