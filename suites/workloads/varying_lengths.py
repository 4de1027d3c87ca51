"""Training a token classifier on batches of varying length, as they come or padded to the longest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from suites.workloads.layers import CLASSES

VOCABULARY = 1000
NO_LABEL = -100

Batch = tuple[Tensor, Tensor]


class FeedForward(nn.Module):
    """The feed-forward half of a transformer's layer: four times as wide inside, and added to its input."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
        )

    def forward(self, x: Tensor) -> Tensor:
        """The same shape as ``x``."""
        added: Tensor = self.layers(x)
        return x + added


@dataclass(frozen=True)
class Texts:
    """Batches of tokens with labels in the host's memory, the longest length, and the size of a model for them."""

    batches: list[Batch]
    longest: int
    width: int
    depth: int
    device: torch.device

    def padded(self) -> list[Batch]:
        """Every batch at the longest length; padding has no label."""
        return [(pad(ids, self.longest, value=0), pad(y, self.longest, value=NO_LABEL)) for ids, y in self.batches]

    def of_rows(self, rows: int) -> Texts:
        """The same texts, so many at a time."""
        return replace(self, batches=[(ids[:rows], y[:rows]) for ids, y in self.batches])

    def new_model(self) -> nn.Module:
        """An untrained model on the device, with the same weights every time."""
        torch.manual_seed(0)
        with self.device:
            layers = [FeedForward(self.width) for _ in range(self.depth)]
            return nn.Sequential(nn.Embedding(VOCABULARY, self.width), *layers, nn.Linear(self.width, CLASSES))


def texts(lengths: list[int], rows: int, width: int, depth: int, device: torch.device) -> Texts:
    """Random tokens and labels in batches of these lengths."""
    batches = [(torch.randint(VOCABULARY, (rows, n)), torch.randint(CLASSES, (rows, n))) for n in lengths]
    return Texts(batches, max(lengths), width, depth, device)


def pad(x: Tensor, length: int, value: int) -> Tensor:
    """Rows of ``length``, filled up with ``value``."""
    return F.pad(x, (0, length - x.shape[1]), value=value)


def loss_of(model: nn.Module, batch: Batch, device: torch.device) -> Tensor:
    """The mean loss over the tokens that have a label."""
    ids, labels = (t.to(device) for t in batch)
    return F.cross_entropy(model(ids).flatten(0, 1), labels.flatten(), ignore_index=NO_LABEL)


def train(model: nn.Module, batches: Iterable[Batch], device: torch.device) -> list[Tensor]:
    """An update with Adam for every batch; the losses."""
    optimizer, losses = torch.optim.Adam(model.parameters(), lr=1e-4), []
    for batch in batches:
        optimizer.zero_grad()
        loss = loss_of(model, batch, device)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return losses
