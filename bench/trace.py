"""A curve that a step's result holds, such as the accuracy over training: shown beside the metrics and never judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Curve = tuple[Sequence[float], Sequence[float]]


@dataclass(frozen=True)
class Trace:
    """``read`` takes from a step's result where it was looked at and what was seen there, two sequences of one length.

    ``x`` says in words what the first are (steps, epochs); ``unit`` is that of the second. Every arm and seed of a
    pair looks at the same places.
    """

    name: str
    x: str
    unit: str
    read: Callable[[Any], Curve]
