"""Pairs whose truth is known: the same work twice must come out NO EFFECT, and a planted extra twentieth be found."""

from __future__ import annotations

import torch
from torch import Tensor

from bench import Pair, Setup, Step, exactly, time

CHUNKS = 20


def activations(setup: Setup) -> tuple[Tensor, Tensor]:
    """A small layer's input and weight: some arithmetic and some memory traffic, about 50 microseconds a chunk."""
    rows = setup.pick(full=64, smoke=4, cuda=1024)
    generator = torch.Generator().manual_seed(setup.seed)
    x, w = torch.randn(rows, 256, generator=generator), torch.randn(256, 256, generator=generator) / 16
    return x.to(setup.device), w.to(setup.device)


def work(inputs: tuple[Tensor, Tensor]) -> Step:
    """Twenty chunks."""
    return lambda: _chunks(inputs, CHUNKS)


def same_work_again(inputs: tuple[Tensor, Tensor]) -> Step:
    """Twenty chunks, built independently."""
    return lambda: _chunks(inputs, CHUNKS)


def a_twentieth_more(inputs: tuple[Tensor, Tensor]) -> Step:
    """Twenty-one chunks: 5 % more work."""
    return lambda: _chunks(inputs, CHUNKS + 1)


def _chunks(inputs: tuple[Tensor, Tensor], number: int) -> Tensor:
    x, w = inputs
    total = x
    for _ in range(number):
        total = x + torch.relu(x @ w)
    return total


SAME_WORK = Pair(
    claims=("control",),
    inputs=activations,
    anti_pattern=work,
    recommended=same_work_again,
    same=exactly,
    metrics=(time,),
    name="same-work",
)
PLANTED = Pair(
    claims=("control",),
    inputs=activations,
    anti_pattern=work,
    recommended=a_twentieth_more,
    same=exactly,
    metrics=(time,),
    name="planted-5-percent",
)
