"""Data sets whose samples are of different length, as tensors, lists, images or strings, and some that are not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from bench import Setup
from suites.workloads.padding import random_tokens

BATCH = 4


@dataclass(frozen=True)
class Samples:
    """What a data set holds, and how many of it make a batch."""

    samples: list[Any]
    batch: int


def uneven(setup: Setup) -> Samples:
    """Samples of the point's kind; with ``equal-lengths`` or ``single-samples`` no batch has two lengths."""
    torch.manual_seed(setup.seed)
    case = setup.point(str)
    number = setup.pick(full=32, smoke=8)
    lengths = [8] * number if case == "equal-lengths" else [3 + i % 7 for i in range(number)]
    tokens = random_tokens(lengths)
    if case == "images":
        return Samples([torch.rand(3, n, 12 - n) for n in lengths], BATCH)
    if case == "lists":
        return Samples([t.tolist() for t in tokens], BATCH)
    if case == "strings":
        return Samples([" ".join(map(str, t.tolist())) for t in tokens], BATCH)
    return Samples(tokens, batch=1 if case == "single-samples" else BATCH)
