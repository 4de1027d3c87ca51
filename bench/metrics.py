"""What is compared between two arms: each metric with its unit, its good direction and how it is compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

Kind = Literal[
    "time",
    "device_time",
    "first_step",
    "peak_memory",
    "allocated",
    "tree_memory",
    "size",
    "energy",
    "utilisation",
    "accuracy",
    "loss",
    "error",
    "count",
    "share",
    "throughput",
    "outcome",
]
Better = Literal["lower", "higher"]
Comparison = Literal["ratio", "difference", "outcome"]

TIMED: frozenset[Kind] = frozenset({"time", "device_time", "first_step"})
# Times, and what is read over a time.
CLOCKED: frozenset[Kind] = TIMED | {"throughput"}
MEMORY: frozenset[Kind] = frozenset({"peak_memory", "allocated", "tree_memory"})
TELEMETRY: frozenset[Kind] = frozenset({"energy", "utilisation"})


@dataclass(frozen=True)
class Metric:
    """One thing that is compared.

    ``kind`` is what a claim names; ``name`` tells two metrics of one kind apart ("gradient error", "output error").
    ``zone`` is half the range that is practically no difference: a fraction for ratios, in ``unit`` for differences;
    None leaves ratios to the pair's zone. ``read`` takes the value from a step's result; metrics without it are
    measured by the engine. With ``per_step`` what is read is an amount per step, which the engine divides by the
    step's time. ``exact`` says that the same seed gives the same value on the same machine, which no clock
    and no counter of a device does. ``of`` reads how many answers a share of right ones is a share of,
    which bounds what a test of that size can tell.
    """

    kind: Kind
    name: str
    unit: str
    better: Better = "lower"
    comparison: Comparison = "ratio"
    zone: float | None = None
    read: Callable[[Any], float] | None = None
    exact: bool = True
    per_step: bool = False
    of: Callable[[Any], int] | None = None

    @property
    def timed(self) -> bool:
        """Whether the steps have to be timed for it."""
        return self.kind in TIMED or self.per_step

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ValueError(f"metric kind {self.kind!r} is unknown; use one of {', '.join(get_args(Kind))}")
        if self.zone is not None and self.zone < 0:
            raise ValueError(f"metric {self.name!r} has the zone {self.zone}; a zone is 0 or more")


time = Metric("time", "time", "s", exact=False)
device_time = Metric("device_time", "device time", "s", exact=False)
first_step = Metric("first_step", "first step", "s", zone=0.10, exact=False)
peak_memory = Metric("peak_memory", "peak memory", "B")
allocated = Metric("allocated", "allocated per step", "B")
tree_memory = Metric("tree_memory", "memory of the process tree", "B", zone=0.05, exact=False)
size = Metric("size", "size on disk", "B")
energy = Metric("energy", "energy per step", "J", exact=False)
utilisation = Metric(
    "utilisation", "device utilisation", "share", better="higher", comparison="difference", zone=0.02, exact=False
)
outcome = Metric("outcome", "outcome", "", comparison="outcome")

Read = Callable[[Any], float]


def accuracy(read: Read, name: str = "accuracy", zone: float = 0.01, of: Callable[[Any], int] | None = None) -> Metric:
    """A share of right answers (0 to 1) among ``of``, compared as a difference; ``zone`` 0.01 is one point."""
    return Metric("accuracy", name, "share", better="higher", comparison="difference", zone=zone, read=read, of=of)


def loss(read: Read, name: str = "loss", zone: float = 0.01) -> Metric:
    """A loss in nats (or the loss's own unit), compared as a difference."""
    return Metric("loss", name, "nat", comparison="difference", zone=zone, read=read)


def error(read: Read, name: str = "error", zone: float = 1e-3) -> Metric:
    """A relative numeric error (0 is exact), compared as a difference."""
    return Metric("error", name, "relative", comparison="difference", zone=zone, read=read)


def count(read: Read, name: str, better: Better = "lower") -> Metric:
    """A number of things, compared as a difference; less than half a thing is no difference."""
    return Metric("count", name, "", better=better, comparison="difference", zone=0.5, read=read)


def share(read: Read, name: str, better: Better, zone: float = 0.01, exact: bool = True) -> Metric:
    """A share of something (0 to 1), compared as a difference; a share of time is not ``exact``."""
    return Metric("share", name, "share", better=better, comparison="difference", zone=zone, read=read, exact=exact)


def throughput(read: Read, name: str, unit: str = "1/s") -> Metric:
    """How much a step does, read from its result, over the time it takes; compared as a ratio."""
    return Metric("throughput", name, unit, better="higher", read=read, exact=False, per_step=True)
