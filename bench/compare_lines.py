"""A comparison of two runs in plain lines: what differs around them first, then every change beyond noise."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bench.compare import Comparison, Shift


def lines(found: Comparison) -> Iterator[str]:
    """The summary, every difference around the runs, every change, and the points that only one run has."""
    yield f"{found.base.id} against {found.new.id}: {summary(found)}"
    for d in found.differences:
        yield f"not the same: {d.what} was {d.base}, is {d.new}"
    if found.widened > 1:
        yield f"the two runs differ throughout, so every interval is widened by {found.widened:.2f}"
    for s in found.changed:
        yield told(s)
    for what, points in (("no longer measured", found.missing), ("measured now", found.added)):
        if points:
            yield f"{what}: {', '.join(points)}"


def summary(found: Comparison) -> str:
    """How much moved, in one sentence."""
    n = len(found.changed)
    verdicts = sum(s.verdict_changed for s in found.changed)
    if not n:
        return f"unchanged, none of {len(found.shifts)} measurements moved beyond noise"
    return f"{n} of {len(found.shifts)} measurements moved beyond noise, {verdicts} with another verdict"


def told(s: Shift) -> str:
    """``tensors/one time: 9.8 % [8.9, 10.7] worse; CONFIRMED was, WEAKER is; recommended takes +10.1 % time``."""
    moved = s.moved
    arm = f"; {moved.replace('_', '-')} takes {math.expm1(s.arms[moved]) * 100:+.1f} % time" if moved else ""
    verdict = f"; {s.base.verdict} was, {s.new.verdict} is" if s.verdict_changed else ""
    return f"{s.point} {s.metric}: {_size(s)} {'worse' if s.worse else 'better'}{verdict}{arm}"


def _size(s: Shift) -> str:
    low, high = sorted((abs(s.shift.low), abs(s.shift.high)))
    if s.comparison == "ratio":
        estimate, low, high = (math.expm1(v) * 100 for v in (abs(s.shift.estimate), low, high))
        return f"{estimate:.1f} % [{low:.1f}, {high:.1f}]"
    return f"{abs(s.shift.estimate):.3g} [{low:.3g}, {high:.3g}]"
