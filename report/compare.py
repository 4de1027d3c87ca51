"""One run against an earlier one: what differs around them, and which pairs' changes are more than noise.

A pair carries its own control, its other arm, so the ratio of the two is compared and not a time: a machine that has
become slower altogether changes no ratio. Where machine and environment are the same, the arm that moved is named too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from scipy import stats

from bench.claims import Claims
from bench.metrics import TIMED
from bench.pair import ANTI_PATTERN, RECOMMENDED
from bench.results import PointRecord, Run
from bench.stats import Interval, holm
from bench.verdict import Judgement, check_controls, judge_run

# A family of comparisons errs at most this often: two runs of the same code must not differ more than 1 time in 100.
ERROR = 0.01


class IncomparableError(Exception):
    """Two runs that say nothing of each other; the message has the reason."""


@dataclass(frozen=True)
class Difference:
    """Something around the measurements that is not the same in both runs."""

    what: str
    base: str
    new: str


@dataclass(frozen=True)
class Shift:
    """How one metric's change at one point has changed itself.

    ``base`` and ``new`` are the recommended arm's change against the anti-pattern in each run, and ``shift`` is new
    minus base with its interval, on the same scale: logs of ratios, or differences. ``arms`` says how each arm's own
    time changed, as logs, where that can be compared.
    """

    point: str
    metric: str
    better: str
    comparison: str
    zone: float
    base: Judgement
    new: Judgement
    shift: Interval
    p_value: float
    arms: dict[str, float]
    significant: bool = False

    @property
    def verdict_changed(self) -> bool:
        """Whether the two runs say something else, beyond noise."""
        return self.significant and self.base.verdict is not self.new.verdict

    @property
    def worse(self) -> bool:
        """Whether the advice has lost, beyond noise."""
        sign = -1 if self.better == "higher" else 1
        return self.significant and sign * self.shift.estimate > 0

    @property
    def moved(self) -> str | None:
        """The arm whose own time changed more than the other's, where that can be told."""
        return max(self.arms, key=lambda a: abs(self.arms[a])) if self.significant and self.arms else None


@dataclass(frozen=True)
class Comparison:
    """Everything that differs. ``missing`` and ``added`` are points that only one of the runs measured."""

    base: Run
    new: Run
    differences: tuple[Difference, ...]
    shifts: tuple[Shift, ...]
    missing: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def changed(self) -> tuple[Shift, ...]:
        """The shifts beyond noise, the largest first."""
        found = [s for s in self.shifts if s.significant]
        return tuple(sorted(found, key=lambda s: -abs(s.shift.estimate) / max(s.zone, 1e-9)))


def compare(base: Run, new: Run, claims: Claims) -> Comparison:
    """The new run against the base. Raises IncomparableError when their profiles or controls forbid it."""
    _require_comparable(base, new)
    around = differences(base, new)
    before, after = _judged(base, claims), _judged(new, claims)
    found = [_shift(before[key], after[key], same_place=not around) for key in before if key in after]
    shifts = _corrected([s for s in found if s is not None])
    missing, added = _measured(base) - _measured(new), _measured(new) - _measured(base)
    return Comparison(base, new, tuple(around), tuple(shifts), tuple(sorted(missing)), tuple(sorted(added)))


def differences(base: Run, new: Run) -> list[Difference]:
    """Machine and environment, item by item."""
    pairs: dict[str, tuple[object, object]] = {}
    for part in ("machine", "environment"):
        one, other = getattr(base, part).model_dump(), getattr(new, part).model_dump()
        for name in one:
            if isinstance(one[name], dict):
                keys = sorted({*one[name], *other[name]})
                pairs |= {f"{part} {name} {k}": (one[name].get(k), other[name].get(k)) for k in keys}
            else:
                pairs[f"{part} {name}"] = (one[name], other[name])
    return [Difference(what, str(a), str(b)) for what, (a, b) in pairs.items() if a != b]


def _require_comparable(base: Run, new: Run) -> None:
    if base.device != new.device:
        raise IncomparableError(f"{base.id} ran on {base.device}, {new.id} on {new.device}")
    for run in (base, new):
        controls = check_controls(run)
        if not controls.passed:
            raise IncomparableError(f"the controls of {run.id} failed: {controls.faults[0]}")


def _measured(run: Run) -> set[str]:
    return {p.id for p in run.points if p.role == "pair" and p.status == "measured"}


def _judged(run: Run, claims: Claims) -> dict[tuple[str, str], Judgement]:
    judged = [j for v in judge_run(run, claims) for j in (*v.deciding, *v.others)]
    return {(j.point.id, j.metric.name): j for j in judged if j.arm == RECOMMENDED}


def _shift(base: Judgement, new: Judgement, same_place: bool) -> Shift | None:
    """None where a run has no number to compare."""
    if base.change is None or new.change is None:
        return None
    metric = new.metric
    zone = math.log1p(metric.zone) if metric.comparison == "ratio" else metric.zone
    shift, p_value = _welch(base.values, new.values, zone)
    arms = _arm_changes(base.point, new.point) if same_place and metric.kind in TIMED else {}
    return Shift(
        point=new.point.id,
        metric=metric.name,
        better=metric.better,
        comparison=metric.comparison,
        zone=zone,
        base=base,
        new=new,
        shift=shift,
        p_value=p_value,
        arms=arms,
    )


def _welch(base: Sequence[float], new: Sequence[float], zone: float) -> tuple[Interval, float]:
    """The difference of means with Welch's interval, and how likely one so far beyond the zone is without any."""
    gap = math.fsum(new) / len(new) - math.fsum(base) / len(base)
    if len({*base}) == len({*new}) == 1:
        return Interval(gap, gap, gap, len(new)), 0.0 if abs(gap) > zone else 1.0
    result = stats.ttest_ind(new, base, equal_var=False)
    low, high = result.confidence_interval(0.95)
    up = gap > 0
    beyond = [v - zone if up else v + zone for v in new]
    side = "greater" if up else "less"
    p_value = float(stats.ttest_ind(beyond, base, equal_var=False, alternative=side).pvalue)
    return Interval(gap, float(low), float(high), min(len(base), len(new))), p_value


def _arm_changes(base: PointRecord, new: PointRecord) -> dict[str, float]:
    """The log change of each arm's own median time."""
    found = {}
    for arm in (ANTI_PATTERN, RECOMMENDED):
        before, after = (_replicate_times(p, arm) for p in (base, new))
        if before and after:
            found[arm] = math.log(median(after) / median(before))
    return found


def _replicate_times(point: PointRecord, arm: str) -> list[float]:
    replicates = point.timing.replicates if point.timing is not None else []
    return [median(r.host[arm]) for r in replicates if r.host.get(arm)]


def _corrected(shifts: Sequence[Shift]) -> list[Shift]:
    """Holm over all comparisons of the two runs."""
    adjusted = holm([s.p_value for s in shifts])
    return [replace(s, significant=p < ERROR) for s, p in zip(shifts, adjusted, strict=True)]


def exit_code(found: Comparison, fail_on: str | None) -> int:
    """1 when what was to be guarded has happened: a verdict that changed, or advice that lost."""
    if fail_on == "verdict":
        return int(any(s.verdict_changed for s in found.changed))
    if fail_on == "regression":
        return int(any(s.worse for s in found.changed))
    return 0
