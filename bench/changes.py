"""From a record's raw samples to one change per replicate or seed of an arm against another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, median

from bench.metrics import TIMED
from bench.results import MetricInfo, PointRecord, Timing
from bench.stats import replicate_log_ratio

Levels = tuple[float, float] | None


def changes_of(record: PointRecord, metric: MetricInfo, arm: str, base: str) -> tuple[list[float], Levels]:
    """One independent change per fork server, replicate or seed, and the base's and the arm's typical value.

    Changes are logs of ratios or differences, as the metric is compared; none when the record lacks an arm's values.
    """
    if metric.per_step:
        return _rate_changes(record, metric, arm, base)
    if metric.kind in TIMED:
        return timed_changes(record.timing, metric.kind, arm, base)
    values = record.values.get(metric.name)
    if values is None:
        return [], None
    both = zip(values.by_arm.get(base, []), values.by_arm.get(arm, []), strict=False)
    pairs = [(a, b) for a, b in both if a is not None and b is not None]
    if not pairs:
        return [], None
    levels = (_middle([a for a, _ in pairs]), _middle([b for _, b in pairs]))
    if metric.comparison == "difference":
        return [b - a for a, b in pairs], levels
    return [_log_ratio(a, b) for a, b in pairs], levels


def _rate_changes(record: PointRecord, metric: MetricInfo, arm: str, base: str) -> tuple[list[float], Levels]:
    """An amount per step, the same at every step, over the time of a step."""
    times, levels = timed_changes(record.timing, "time", arm, base)
    amounts = record.values[metric.name].by_arm if metric.name in record.values else {}
    known = [[v for v in amounts.get(a, []) if v is not None and v > 0] for a in (base, arm)]
    if levels is None or not all(known):
        return [], None
    ours, theirs = (_middle(side) for side in known)
    return [math.log(theirs / ours) - change for change in times], (ours / levels[0], theirs / levels[1])


def timed_changes(timing: Timing | None, kind: str, arm: str, base: str) -> tuple[list[float], Levels]:
    """The log ratio of a kind of time for every fork server, and the typical seconds; none where that kind is not."""
    sides: list[tuple[list[float], list[float]]] = []
    servers: list[int | None] = []
    for r in timing.replicates if timing else []:
        if kind == "first_step":
            ours, theirs = [r.first[base]], [r.first[arm]]
        else:
            clock = r.device if kind == "device_time" else r.host
            ours, theirs = clock.get(base, []), clock.get(arm, [])
        if ours and len(ours) == len(theirs):
            counted = r.counted_blocks(len(ours))
            sides.append(([ours[i] for i in counted], [theirs[i] for i in counted]))
            servers.append(r.server)
    if not sides:
        return [], None
    levels = tuple(median(median(side[i]) for side in sides) for i in (0, 1))
    return _by_server([replicate_log_ratio(a, b) for a, b in sides], servers), (levels[0], levels[1])


def _by_server(values: Sequence[float], servers: Sequence[int | None]) -> list[float]:
    """The mean of every fork server's replicates, since only servers are independent; None is one of its own."""
    grouped: dict[object, list[float]] = {}
    for i, (value, server) in enumerate(zip(values, servers, strict=True)):
        grouped.setdefault(("alone", i) if server is None else server, []).append(value)
    return [fmean(group) for group in grouped.values()]


def _middle(values: Sequence[float]) -> float:
    """The median; NaN where a value is none."""
    return median(values) if not any(map(math.isnan, values)) else math.nan


def _log_ratio(a: float, b: float) -> float:
    if a == b:
        return 0.0
    if a <= 0 or b <= 0:
        return math.copysign(math.inf, b - a)
    return math.log(b / a)
