"""Training on texts of varying length under a limit of memory, and what the allocator went through."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import torch

from bench import Setup, Step
from suites.workloads.gpu_memory import forget_the_past, limit_to, peak_of, retries, unused_at_the_peak
from suites.workloads.varying_lengths import Texts, loss_of, texts, train

SIXTEENTHS = range(16, 4, -1)
# The allocator's setting that lets its segments grow.
GROW = {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True"}

Run = Callable[[Texts], dict[str, object]]


@dataclass(frozen=True)
class Training:
    """Texts to train on, and by how much the limit exceeds what ``rows`` of the longest at a time need."""

    texts: Texts
    rows: int
    spare: float

    def set_the_limit(self) -> None:
        """Find what the longest batch needs, optimizer and all, and allow for a little more."""
        texts = self.texts.of_rows(self.rows)
        need = peak_of(lambda: train(texts.new_model(), texts.padded()[:2], texts.device))
        limit_to(int(need * (1 + self.spare)))


def training(setup: Setup) -> Training:
    """Texts of 5 to 16 sixteenths of the longest, in random order, or all of the longest at ``static``."""
    torch.manual_seed(setup.seed)
    case, longest = setup.point(str), setup.pick(full=128, smoke=16)
    parts = SIXTEENTHS[:: setup.pick(full=1, smoke=5)]
    lengths = [longest if case.startswith("static") else longest * part // 16 for part in parts]
    random.Random(setup.seed).shuffle(lengths)
    width, depth = setup.pick(full=64, smoke=4, cuda=1024), setup.pick(full=4, smoke=1)
    found = texts(lengths, setup.pick(full=40, smoke=3), width, depth, setup.device)
    return Training(found, setup.pick(full=32, smoke=2), int(case.rsplit("-", 1)[1]) / 100)


def run(t: Texts, padded: bool = False, longest_first: bool = False) -> dict[str, object]:
    """Train on every batch with a new model, as it comes or padded to the longest; what came of it."""
    model, batches = t.new_model(), t.padded() if padded else t.batches
    forget_the_past()
    if longest_first:
        loss_of(model, t.padded()[0], t.device).backward()
    losses = train(model, batches, t.device)
    tokens = sum(ids.numel() for ids, _ in batches)
    return {"losses": losses, "tokens": tokens, "retries": retries(), "unused": unused_at_the_peak()}


def within_the_limit(t: Training, once: Run) -> Step:
    """Do it once with the rows that the limit was made for."""
    t.set_the_limit()
    return lambda: once(t.texts.of_rows(t.rows))


def largest_within_the_limit(t: Training, once: Run) -> Step:
    """Try ever more rows, two by two, until it runs out of memory; the last number that fitted."""
    t.set_the_limit()
    most = len(t.texts.batches[0][0])

    def step() -> int:
        fits = 0
        for rows in range(most // 2, most + 1, 2):
            try:
                once(t.texts.of_rows(rows))
            except torch.OutOfMemoryError:
                break
            fits = rows
        return fits

    return step
