"""The loader's default way to make a batch is said to fail on samples of different length, which wants a collate_fn.

A step loads an epoch. The anti-pattern leaves collation to the loader, the recommended arm pads the samples of a batch
with zeros to the largest of them, in every dimension. What counts is whether the epoch comes to its end.

Theory: the default stacks tensors, which must have one shape, and turns lists of numbers into one tensor per place.
Samples of one shape, and batches of a single sample, have nothing to disagree about, and strings stay a plain list: so
a data set may well pass its first tests. For equal shapes both arms give the same tensor, bit for bit.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils.data import DataLoader

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, exactly, outcome
from suites.workloads.padding import pad_to_largest, random_tokens
from suites.workloads.uneven import Samples, uneven


def epoch(s: Samples, collate: Callable[[list[Any]], Any] | None) -> Step:
    loader = DataLoader(s.samples, batch_size=s.batch, collate_fn=collate)
    return lambda: list(loader)


def padded(samples: list[Any]) -> Tensor | list[str]:
    if isinstance(samples[0], str):
        return samples
    return pad_to_largest([torch.as_tensor(sample) for sample in samples])


def default_collate(s: Samples) -> Step:
    return epoch(s, collate=None)


def own_collate(s: Samples) -> Step:
    return epoch(s, collate=padded)


def loader_with_collate_fn(setup: Setup) -> None:
    def collate(batch: list[tuple[Tensor, int]]) -> tuple[Tensor, Tensor]:
        sequences, labels = zip(*batch, strict=True)
        rows = torch.zeros(len(sequences), max(len(s) for s in sequences), dtype=torch.long)
        for i, s in enumerate(sequences):
            rows[i, : len(s)] = s
        return rows, torch.tensor(labels)

    samples = [(t, i) for i, t in enumerate(random_tokens([2, 5, 3]))]
    next(iter(DataLoader(samples, batch_size=32, collate_fn=collate)))


PAIR = Pair(
    claims=("collate-variable-length",),
    inputs=uneven,
    anti_pattern=default_collate,
    recommended=own_collate,
    same=exactly,
    metrics=(outcome,),
    axis=Axis("samples", full=("tensors", "lists", "images"), outside=("equal-lengths", "single-samples", "strings")),
    needs=Needs(cpu=True),
)
AS_WRITTEN = AsWritten(claim="collate-variable-length", where="G 5.3", usage=loader_with_collate_fn)
