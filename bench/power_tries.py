"""Identical work measured again and again, by us and by two peers, a short comparison being the start of a long one."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench import controls, peers
from bench.changes import changes_of
from bench.collect import Declared, load_pairs
from bench.launch import Launcher
from bench.measure import Measurement
from bench.pair import ANTI_PATTERN, RECOMMENDED
from bench.power import Spent
from bench.results import PointRecord, rounded
from bench.stats import Interval, interval
from bench.trust import LOOKS, OURS

PREFIXES = (4, 6, 12, 24)
PARTS = (0.125, 0.25, 0.5, 1.0)
PEER_SECONDS = 8.0


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
    measurement = Measurement(declared, None, "cpu", LOOKS, seed, launcher)
    measurement.begin(math.inf)
    first = measurement.seconds
    measurement.extend(math.inf)
    record = measurement.record()
    assert record.timing is not None
    measured = len(record.timing.replicates)
    each = (measurement.seconds - first) / max(1, measured - PREFIXES[-2])
    return [
        _spent(OURS, seed, measurement.seconds - (measured - n) * each, _after(record, n))
        for n in PREFIXES
        if n <= measured
    ]


def _after(record: PointRecord, replicates: int) -> Interval:
    """The interval as it was after so many replicates."""
    assert record.timing is not None
    timing = record.timing.model_copy(update={"replicates": record.timing.replicates[:replicates]})
    cut = record.model_copy(update={"timing": timing})
    return interval(changes_of(cut, record.metrics[0], RECOMMENDED, ANTI_PATTERN)[0])


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
