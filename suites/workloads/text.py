"""A transformer encoder that learns the topics of real lines of text, which are of very unequal length."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import partial

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import unset_fake_temporarily

from bench import Setup
from suites.workloads.encoder import LineEncoder
from suites.workloads.padding import longest_of, pad_to
from suites.workloads.practices import Batch, Options, Workload
from suites.workloads.texts import load_texts

BATCHES = 2


def lines(setup: Setup) -> Workload:
    """Lines with their topics, drawn at random, so that a batch has short and long ones; padded anew in each pass."""
    # Torch crashes when thousands of tensors are fake ones (bench/fake.py).
    with unset_fake_temporarily():
        texts = load_texts()
    batch = setup.pick(full=16, smoke=4, cuda=512)
    chosen = random.Random(setup.seed).sample(range(len(texts.lines)), BATCHES * batch)
    longest = longest_of(texts.lines)
    model = partial(LineEncoder, texts.words, longest, len(texts.topics), width=setup.pick(full=64, smoke=8, cuda=1024))
    samples = [(texts.lines[i], texts.labels[i]) for i in chosen]
    load = partial(Padded, batch=batch, longest=longest)
    return Workload(setup.device, setup.seed, model, samples, load, partial(torch.optim.AdamW, lr=1e-3))


class Padded:
    """Batches of lines, padded to the longest of all texts, or to the batch's own longest if the options say so."""

    def __init__(self, samples: Sequence[tuple[Tensor, Tensor]], options: Options, batch: int, longest: int) -> None:
        self._samples, self._batch = samples, batch
        self._longest = None if options.padded_to_batch else longest

    def __iter__(self) -> Iterator[Batch]:
        for first in range(0, len(self._samples), self._batch):
            rows, topics = zip(*self._samples[first : first + self._batch], strict=True)
            yield pad_to(rows, self._longest or longest_of(rows)), torch.stack(topics)
