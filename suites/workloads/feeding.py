"""Feeding the GPU: batches in the host's memory that are copied over and put through matrix products, one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from bench import Setup, Step
from suites.workloads.layers import normal
from suites.workloads.timelines import Timeline, overlap, total

BATCHES = 8

Pass = Callable[[Timeline], list[Tensor]]


@dataclass(frozen=True)
class Feed:
    """Batches in the host's memory, a weight on the device, and how many products each batch goes through."""

    batches: list[Tensor]
    weight: Tensor
    products: int

    @property
    def device(self) -> torch.device:
        """Where to."""
        return self.weight.device

    @property
    def nbytes(self) -> int:
        """What is copied in all."""
        return sum(x.nbytes for x in self.batches)

    def compute(self, x: Tensor) -> Tensor:
        """The products with one batch, and their mean."""
        for _ in range(self.products):
            x = x @ self.weight
        return x.mean()


def feed(setup: Setup) -> Feed:
    """Random batches of 32 MiB each on a GPU, and as many products as the point says."""
    torch.manual_seed(setup.seed)
    rows, width = setup.pick(full=64, smoke=4, cuda=8192), setup.pick(full=64, smoke=8, cuda=1024)
    batches = [normal(rows, width, device=torch.device("cpu")) for _ in range(BATCHES)]
    return Feed(batches, normal(width, width, device=setup.device) / width**0.5, setup.point(int))


def pinned(batch: Tensor) -> Tensor:
    """A copy in pinned memory, where there is a GPU to pin it for."""
    return batch.pin_memory() if torch.cuda.is_available() else batch


def all_pinned(f: Feed) -> list[Tensor]:
    """Every batch in pinned memory, as a loader's thread would have it ready."""
    return [pinned(x) for x in f.batches]


def in_turn(f: Feed, batches: Sequence[Tensor], copy: Callable[[Tensor], Tensor]) -> Pass:
    """Copy a batch, compute with it, go on to the next: all in one stream."""

    def run(timeline: Timeline) -> list[Tensor]:
        means = []
        for batch in batches:
            with timeline.span("copy"):
                x = copy(batch)
            with timeline.span("products"):
                means.append(f.compute(x))
        return means

    return run


def one_ahead(f: Feed, batches: Sequence[Tensor]) -> Pass:
    """While the products of a batch run, copy the next one in a stream of its own."""

    def run(timeline: Timeline) -> list[Tensor]:
        stream = torch.cuda.Stream() if torch.cuda.is_available() else None

        def fetch(batch: Tensor) -> Tensor:
            with torch.cuda.stream(stream), timeline.span("copy"):
                return batch.to(f.device, non_blocking=True)

        means, following = [], fetch(batches[0])
        for batch in (*batches[1:], None):
            x = following
            if stream is not None:
                torch.cuda.current_stream().wait_stream(stream)
                x.record_stream(torch.cuda.current_stream())
            if batch is not None:
                following = fetch(batch)
            with timeline.span("products"):
                means.append(f.compute(x))
        return means

    return run


def timed(run: Pass) -> Step:
    """A step passes over all batches."""
    return lambda: run(Timeline(marking=False))


def traced(f: Feed, run: Pass) -> Step:
    """The same with marks: how fast the copies were, and how much of them ran beside products."""
    run(Timeline(marking=False))  # what the first pass alone costs is no part of a rate

    def step() -> dict[str, object]:
        timeline = Timeline()
        means = run(timeline)
        copies = timeline.spans("copy")
        rate = f.nbytes / total(copies) / 1e9 if copies else 0.0
        return {"means": means, "GB/s": rate, "overlap": overlap(copies, timeline.spans("products"))}

    return step
