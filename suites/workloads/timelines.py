"""When copies and computing ran on the GPU, by marks in its streams, and the share of copying that ran beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch

Span = tuple[float, float]


class Timeline:
    """Spans of the GPU's time by name. Without a GPU, or when it is told not to, it marks nothing and keeps no span."""

    def __init__(self, marking: bool = True) -> None:
        self._marks: list[tuple[str, torch.cuda.Event, torch.cuda.Event]] = []
        self._zero = _mark() if marking and torch.cuda.is_available() else None

    @contextmanager
    def span(self, name: str) -> Iterator[None]:
        """What is queued inside, in the current stream, belongs to ``name``."""
        if self._zero is None:
            yield
            return
        begin = _mark()
        yield
        self._marks.append((name, begin, _mark()))

    def spans(self, name: str) -> list[Span]:
        """Begin and end of every span of this name, in seconds; waits for the GPU."""
        if self._zero is None:
            return []
        torch.cuda.synchronize()
        zero = self._zero
        marks = [(begin, end) for called, begin, end in self._marks if called == name]
        return [(zero.elapsed_time(begin) / 1e3, zero.elapsed_time(end) / 1e3) for begin, end in marks]


def _mark() -> torch.cuda.Event:
    event = torch.cuda.Event(enable_timing=True)
    event.record()
    return event


def total(spans: Sequence[Span]) -> float:
    """Their lengths, added up."""
    return sum(end - begin for begin, end in spans)


def overlap(spans: Sequence[Span], others: Sequence[Span]) -> float:
    """The share of the spans' time that lies in ``others``, which do not overlap each other; 0 if there is no time."""
    shared = sum(max(0.0, min(a[1], b[1]) - max(a[0], b[0])) for a in spans for b in others)
    return shared / total(spans) if shared else 0.0
