"""The smallest effect that a tool finds 19 times in 20, against the seconds it is given.

Only identical work is measured. Extra work of d adds d to a log ratio and nothing to its noise, so a comparison whose
interval starts at ``low`` would have found every d above zone - low; the 95th percentile of that over many comparisons
is the smallest effect found 95 % of the time.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields

import numpy as np
from pydantic import FiniteFloat, TypeAdapter

ZONE = math.log1p(0.02)
FOUND = 0.95


@dataclass(frozen=True)
class Spent:
    """One comparison of identical work that took so many seconds, and its interval (of the log ratio)."""

    tool: str
    turn: int
    seconds: FiniteFloat
    low: FiniteFloat
    high: FiniteFloat


@dataclass(frozen=True)
class Power:
    """``smallest`` is the smallest fraction that was found 95 % of the time in about ``seconds``, of ``n`` tries."""

    tool: str
    seconds: float
    smallest: float
    n: int


def curve(spent: Sequence[Spent]) -> list[Power]:
    """The smallest effect by tool and length, the shortest first."""
    found = []
    for tool in dict.fromkeys(s.tool for s in spent):
        turns: dict[int, list[Spent]] = {}
        for s in spent:
            if s.tool == tool:
                turns.setdefault(s.turn, []).append(s)
        for length in zip(*turns.values(), strict=True):
            needed = np.quantile([ZONE - s.low for s in length], FOUND)
            seconds = float(np.median([s.seconds for s in length]))
            found.append(Power(tool, round(seconds, 2), math.expm1(float(needed)), len(length)))
    return found


def to_text(found: Sequence[Power]) -> str:
    """The curve as a table."""
    lines = [f"{'':24}{'s each':>9}{'found 95 %':>13}{'n':>5}"]
    lines += [f"{p.tool:24}{p.seconds:>9.1f}{f'+{p.smallest * 100:.1f} %':>13}{p.n:>5}" for p in found]
    return "\n".join(lines)


def to_csv(spent: Sequence[Spent]) -> str:
    """Every comparison, one a line: what ``read`` reads."""
    out = io.StringIO()
    writer = csv.DictWriter(out, [f.name for f in fields(Spent)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(s) for s in spent)
    return out.getvalue()


def read(text: str) -> list[Spent]:
    """What ``to_csv`` wrote. Raises pydantic's ValidationError, a ValueError, for anything else."""
    return TypeAdapter(list[Spent]).validate_python(list(csv.DictReader(io.StringIO(text))))
