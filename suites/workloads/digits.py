"""scikit-learn's 1,797 handwritten digits: the small real data set on which quality is measured."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from suites.workloads.cache import cached, versioned

CLASSES = 10
PIXELS = 64
TRAINING = 1348


@dataclass(frozen=True)
class Digits:
    """Images as rows of 64 pixels from 0 to 1, and their classes: 1,348 to train on and 449 to test on."""

    train_x: Tensor
    train_y: Tensor
    test_x: Tensor
    test_y: Tensor


def load_digits(seed: int) -> Digits:
    """The digits, split anew for each seed."""
    table = torch.from_numpy(np.load(cached("digits.npy", _table)))
    table = table[torch.randperm(len(table), generator=torch.Generator().manual_seed(seed))]
    x, y = table[:, :PIXELS].float() / 16, table[:, PIXELS].long()
    return Digits(x[:TRAINING], y[:TRAINING], x[TRAINING:], y[TRAINING:])


def _table() -> bytes:
    from sklearn import datasets  # an extra: the pairs that come here say Needs(packages=("sklearn",))

    pixels, classes = datasets.load_digits(return_X_y=True)
    buffer = io.BytesIO()
    np.save(buffer, np.column_stack([pixels, classes]).astype(np.uint8))
    return buffer.getvalue()


def train(model: nn.Module, digits: Digits, steps: int, seed: int, batch: int = 128) -> None:
    """Train in place with Adam on ``steps`` random batches: enough to be worth losing accuracy."""
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    generator = torch.Generator().manual_seed(seed)
    model.train()
    for _ in range(steps):
        rows = torch.randint(len(digits.train_x), (batch,), generator=generator)
        optimizer.zero_grad()
        F.cross_entropy(model(digits.train_x[rows]), digits.train_y[rows]).backward()
        optimizer.step()
    model.eval()


def trained(name: str, build: Callable[[], nn.Module], digits: Digits, steps: int, seed: int) -> nn.Module:
    """The model that ``build`` makes, trained; its weights are kept in the cache under ``name``, steps and seed."""
    torch.manual_seed(seed)
    model = build()

    def weights() -> bytes:
        train(model, digits, steps, seed)
        buffer = io.BytesIO()
        torch.save(model.state_dict(), buffer)
        return buffer.getvalue()

    path = cached(versioned(f"{name}-{steps}-steps-seed-{seed}.pt"), weights)
    model.load_state_dict(torch.load(path, weights_only=True))
    return model.eval()


def perceptron(width: int) -> nn.Sequential:
    """Two hidden layers of ``width``."""
    return nn.Sequential(
        nn.Linear(PIXELS, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, CLASSES)
    )


def convolutions(width: int) -> nn.Sequential:
    """Two convolutions on the 8 x 8 image and a linear head: most weights are in the second convolution."""
    return nn.Sequential(
        nn.Unflatten(1, (1, 8, 8)),
        nn.Conv2d(1, width, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(width, 2 * width, 3, padding=1),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(2 * width, CLASSES),
    )


def answers_in(result: dict[str, Tensor]) -> int:
    """How many answers that accuracy is a share of."""
    return len(result["labels"])


def share_right(result: dict[str, Tensor]) -> float:
    """The accuracy that a result with ``logits`` and ``labels`` has."""
    return float((result["logits"].argmax(1) == result["labels"]).float().mean())
