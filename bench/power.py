"""The smallest effect that a tool finds 19 times in 20, against the seconds it is given: ours beside two peers.

Only identical work is measured. Extra work of d adds d to a log ratio and nothing to its noise, so a comparison whose
interval starts at ``low`` would have found every d above zone - low; the 95th percentile of that over many comparisons
is the smallest effect found 95 % of the time. A shorter comparison is the beginning of a longer one.
"""

from __future__ import annotations

import csv
import io
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np
from pydantic import FiniteFloat, TypeAdapter

from bench import controls, peers
from bench.changes import changes_of
from bench.collect import Declared, load_pairs
from bench.launch import Launcher
from bench.measure import Measurement
from bench.pair import ANTI_PATTERN, RECOMMENDED
from bench.profiles import QUICK
from bench.results import rounded
from bench.stats import Interval, interval
from bench.trust import OURS, ZONE

PREFIXES = (4, 6, 12, 24)
PARTS = (0.125, 0.25, 0.5, 1.0)
PEER_SECONDS = 8.0
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


def measure(comparisons: int, tell: Callable[[str], None]) -> list[Spent]:
    """Every tool on identical work ``comparisons`` times, in turns so that noise hits all; four lengths of each."""
    declared = next(d for d in load_pairs(Path(controls.__file__)) if d.pair.name == controls.SAME_WORK.name)
    found: list[Spent] = []
    with Launcher() as launcher:
        for i in range(comparisons):
            found += _ours(declared, i, launcher)
            for peer in peers.PEERS:
                found += _theirs(peer, i)
            tell(f"{i + 1} of {comparisons}")
    return found


def _ours(declared: Declared, seed: int, launcher: Launcher) -> list[Spent]:
    measurement = Measurement(declared, None, "cpu", QUICK, seed, launcher)
    measurement.begin(math.inf)
    first = measurement.seconds
    measurement.extend(math.inf)
    record = measurement.record()
    values, _ = changes_of(record, record.metrics[0], RECOMMENDED, ANTI_PATTERN)
    each = (measurement.seconds - first) / max(1, len(values) - PREFIXES[-2])
    return [
        _spent(OURS, seed, measurement.seconds - (len(values) - n) * each, interval(values[:n]))
        for n in PREFIXES
        if n <= len(values)
    ]


def _theirs(peer: str, seed: int) -> list[Spent]:
    begin = time.monotonic()
    anti, recommended = peers.measure(peer, str(controls.SAME_WORK.name), PEER_SECONDS)
    started = time.monotonic() - begin - PEER_SECONDS
    return [
        _spent(
            peer, seed, started + part * PEER_SECONDS, peers.log_ratio_of_medians(_part(anti, recommended, part), seed)
        )
        for part in PARTS
    ]


def _part(anti: Sequence[float], recommended: Sequence[float], part: float) -> peers.Samples:
    """The first samples of each arm, as a shorter measurement would have taken them."""
    a, b = (list(side[: max(2, round(part * len(side)))]) for side in (anti, recommended))
    return a, b


def _spent(tool: str, turn: int, seconds: float, found: Interval) -> Spent:
    return Spent(tool, turn, round(seconds, 2), rounded(found.low), rounded(found.high))


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
