"""Sequences of unequal length put into one tensor: how far to pad, and how much of it is padding."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def pad_to(sequences: Sequence[Tensor], length: int) -> Tensor:
    """One row per sequence (rows, length), filled up with zeros."""
    padded = sequences[0].new_zeros(len(sequences), length)
    for row, sequence in zip(padded, sequences, strict=True):
        row[: len(sequence)] = sequence
    return padded


def longest_of(sequences: Sequence[Tensor]) -> int:
    """The length of the longest sequence."""
    return max(len(s) for s in sequences)


def by_length(sequences: Sequence[Tensor]) -> list[int]:
    """Their positions, the shortest first: cut into batches, each has sequences of nearly one length."""
    return sorted(range(len(sequences)), key=lambda i: len(sequences[i]))


def share_of_padding(sequences: Sequence[Tensor], places: int) -> float:
    """How much of ``places`` is left when every sequence has its own."""
    return 1 - sum(len(s) for s in sequences) / places


def pad_to_largest(samples: Sequence[Tensor]) -> Tensor:
    """One tensor for samples that differ in any of their sizes: each in the first corner of its row, then zeros."""
    shape = [max(sizes) for sizes in zip(*(s.shape for s in samples), strict=True)]
    padded = samples[0].new_zeros(len(samples), *shape)
    for row, sample in zip(padded, samples, strict=True):
        row[tuple(slice(n) for n in sample.shape)] = sample
    return padded


def random_tokens(lengths: Sequence[int]) -> list[Tensor]:
    """Sequences of these lengths, of ids from 1 to 999."""
    return [torch.randint(1, 1000, (n,)) for n in lengths]
