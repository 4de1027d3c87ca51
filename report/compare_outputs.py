"""A comparison of two runs as text, Markdown and JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator

from report.compare import Comparison, Shift
from report.escape import markdown, plain
from report.numbers import fixed


def as_text(found: Comparison) -> str:
    """What differs around the runs first, then every change beyond noise, a line each."""
    return "\n".join(plain(line) for line in _lines(found))


def as_markdown(found: Comparison) -> str:
    """The same as a list."""
    head, *rest = _lines(found)
    return "\n".join([f"**{markdown(head)}**", "", *(f"- {markdown(line)}" for line in rest)]) + "\n"


def as_json(found: Comparison) -> str:
    """For machines: every shift, also those within noise."""
    document = {
        "base": found.base.id,
        "new": found.new.id,
        "differences": [vars(d) for d in found.differences],
        "changed": [_record(s) for s in found.changed],
        "unchanged": [_record(s) for s in found.shifts if not s.significant],
        "missing": list(found.missing),
        "added": list(found.added),
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def _lines(found: Comparison) -> Iterator[str]:
    yield f"{found.base.id} against {found.new.id}: {_summary(found)}"
    for d in found.differences:
        yield f"not the same: {d.what} was {d.base}, is {d.new}"
    for s in found.changed:
        yield _told(s)
    for what, points in (("no longer measured", found.missing), ("measured now", found.added)):
        if points:
            yield f"{what}: {', '.join(points)}"


def _summary(found: Comparison) -> str:
    n = len(found.changed)
    verdicts = sum(s.verdict_changed for s in found.changed)
    if not n:
        return f"unchanged, none of {len(found.shifts)} measurements moved beyond noise"
    return f"{n} of {len(found.shifts)} measurements moved beyond noise, {verdicts} with another verdict"


def _told(s: Shift) -> str:
    moved = s.moved
    arm = f"; {moved.replace('_', '-')} takes {_percent(s.arms[moved])}" if moved else ""
    verdict = f"; {s.base.verdict} was, {s.new.verdict} is" if s.verdict_changed else ""
    return f"{s.point} {s.metric}: {_size(s)} {'worse' if s.worse else 'better'}{verdict}{arm}"


def _size(s: Shift) -> str:
    low, high = sorted((abs(s.shift.low), abs(s.shift.high)))
    if s.comparison == "ratio":
        estimate, low, high = (math.expm1(v) * 100 for v in (abs(s.shift.estimate), low, high))
        return f"{fixed(estimate, 1)} % [{fixed(low, 1)}, {fixed(high, 1)}]"
    return f"{abs(s.shift.estimate):.3g} [{low:.3g}, {high:.3g}]"


def _percent(log_change: float) -> str:
    return f"{fixed(math.expm1(log_change) * 100, 1, signed=True)} % time"


def _record(s: Shift) -> dict[str, object]:
    return {
        "point": s.point,
        "metric": s.metric,
        "shift": s.shift.estimate,
        "low": s.shift.low,
        "high": s.shift.high,
        "p_value": s.p_value,
        "worse": s.worse,
        "verdict": [s.base.verdict, s.new.verdict],
        "arms": s.arms,
    }
