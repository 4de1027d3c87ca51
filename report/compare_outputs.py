"""A comparison of two runs as text, Markdown and JSON."""

from __future__ import annotations

import json

from bench.compare import Comparison, Shift
from bench.compare_lines import lines
from report.escape import markdown, plain


def as_text(found: Comparison) -> str:
    """What differs around the runs first, then every change beyond noise, a line each."""
    return "\n".join(plain(line) for line in lines(found))


def as_markdown(found: Comparison) -> str:
    """The same as a list."""
    head, *rest = lines(found)
    return "\n".join([f"**{markdown(head)}**", "", *(f"- {markdown(line)}" for line in rest)]) + "\n"


def as_json(found: Comparison) -> str:
    """For machines: every shift, also those within noise."""
    document = {
        "base": found.base.id,
        "new": found.new.id,
        "widened": found.widened,
        "differences": [vars(d) for d in found.differences],
        "changed": [_record(s) for s in found.changed],
        "unchanged": [_record(s) for s in found.shifts if not s.significant],
        "missing": list(found.missing),
        "added": list(found.added),
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


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
