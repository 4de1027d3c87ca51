"""Our ratios beside an independent tool's: the same arms under pyperf, each alone, in many processes on one core."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from scipy import stats

from bench import peer_pyperf
from bench.collect import Declared
from bench.launch import Launcher
from bench.metrics import time as time_metric
from bench.needs import look_here, missing
from bench.noise import cores_for
from bench.pair import ANTI_PATTERN, RECOMMENDED, PointValue
from bench.plan import points_of
from bench.power import ZONE
from bench.results import point_id
from bench.stats import CONFIDENCE, Interval
from bench.trust import first_look


@dataclass(frozen=True)
class Agreement:
    """A point's ratio of the recommended arm's time over the anti-pattern's, by us and by pyperf (logs)."""

    point: str
    ours: Interval
    theirs: Interval

    def agrees(self) -> bool:
        """Whether the intervals overlap, or what lies between the estimates is no difference that matters."""
        overlap = self.ours.low <= self.theirs.high and self.theirs.low <= self.ours.high
        return overlap or abs(self.ours.estimate - self.theirs.estimate) <= ZONE


def choose(declared: Sequence[Declared], wanted: int) -> list[tuple[Declared, PointValue | None]]:
    """The first point of ``wanted`` pairs, spread evenly over all that are timed on one core and can run here.

    A rule and not a taste, so that no pair is in for agreeing. Pairs whose arms have an environment are left out, as
    pyperf has none by arm.
    """
    here = look_here()
    able = [
        (d, points_of(d, "quick")[0])
        for d in declared
        if time_metric in d.pair.metrics and d.pair.cores == "one" and not d.pair.environment and points_of(d, "quick")
        if missing(d.pair.needs, "cpu", here) is None
    ]
    return [able[round(i * (len(able) - 1) / max(1, wanted - 1))] for i in range(min(wanted, len(able)))]


def compare(chosen: Sequence[tuple[Declared, PointValue | None]], tell: Callable[[str], None]) -> list[Agreement]:
    """Measure every point by both, one after the other."""
    found = []
    with Launcher() as launcher:
        for declared, value in chosen:
            axis = declared.pair.axis
            point = point_id(declared.id, axis.name if axis else None, value)
            ours = first_look(declared, value, 0, launcher)
            found.append(Agreement(point, ours, _theirs(declared, value)))
            tell(point)
    return found


def _theirs(declared: Declared, value: PointValue | None) -> Interval:
    core = cores_for("one")[0]
    anti, recommended = (
        peer_pyperf.seconds_by_process(declared, value, arm, core, seed=0) for arm in (ANTI_PATTERN, RECOMMENDED)
    )
    return log_ratio(anti, recommended)


def log_ratio(anti: Sequence[float], recommended: Sequence[float]) -> Interval:
    """The log ratio of two independent sets of seconds: the difference of their logs' means with Welch's interval."""
    a, b = np.log(np.asarray(anti)), np.log(np.asarray(recommended))
    estimate = float(b.mean() - a.mean())
    if np.ptp(a) == 0 and np.ptp(b) == 0:
        return Interval(estimate, estimate, estimate, min(a.size, b.size))
    found = stats.ttest_ind(b, a, equal_var=False).confidence_interval(CONFIDENCE)
    return Interval(estimate, float(found.low), float(found.high), min(a.size, b.size))


def to_json(found: Sequence[Agreement]) -> str:
    """Both intervals of every point, in logs."""
    return json.dumps([asdict(a) for a in found], indent=2)


def to_text(found: Sequence[Agreement]) -> str:
    """A line per point, and how many agree."""
    lines = [
        f"{_told(a.ours):>26}  {_told(a.theirs):>26}  {'' if a.agrees() else 'DISAGREES'}  {a.point}" for a in found
    ]
    agreed = sum(a.agrees() for a in found)
    return "\n".join([f"{'ours':>26}  {'pyperf':>26}", *lines, f"{agreed} of {len(found)} agree"])


def _told(i: Interval) -> str:
    return f"×{math.exp(i.estimate):.3f} [{math.exp(i.low):.3f}, {math.exp(i.high):.3f}]"
