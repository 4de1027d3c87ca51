"""One run against an earlier one: what differs around them, and which pairs' changes are more than noise.

A pair carries its own control, its other arm, so the ratio of the two is compared and not a time: a machine that has
become slower altogether changes no ratio. Where machine and environment are the same, the arm that moved is named too.

Two runs of the same code differ by more than their replicates' mean errors say: what a run draws once (where its code
and data lie, the page cache, which core) is the same for all its replicates. On the committed runs of one machine the
ratios moved from run to run by about half to two thirds of what single replicates differ by. So the variance of a run
is that of its trimmed mean (Yuen 1974) and SHARE of a single replicate's, and where the middle half of all pairs has
moved by more than that, everything is widened by as much, since most pairs have not changed (the empirical null of
Efron, Large-scale simultaneous hypothesis testing, 2004).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from bench.claims import Claims
from bench.metrics import TIMED
from bench.pair import ANTI_PATTERN, RECOMMENDED
from bench.results import PointRecord, Run
from bench.stats import CONFIDENCE, Interval, holm, t_beyond, t_quantile, trimmed
from bench.verdict import Judgement, check_controls, judge_run

# A family of comparisons errs at most this often: two runs of the same code must not differ more than 1 time in 100.
ERROR = 0.01
SHARE = 0.5
# Of fewer comparisons the middle says little of how far runs differ.
ENOUGH = 20


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
    """Everything that differs.

    ``missing`` and ``added`` are points that only one of the runs measured; of a run of a selection none is missing.
    ``widened`` is by how much intervals were widened, since the runs differ by more than expected throughout.
    """

    base: Run
    new: Run
    differences: tuple[Difference, ...]
    shifts: tuple[Shift, ...]
    missing: tuple[str, ...]
    added: tuple[str, ...]
    widened: float = 1.0

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
    keys = [k for k in before if k in after and before[k].change is not None and after[k].change is not None]
    moves = [_move(before[k], after[k]) for k in keys]
    widened = run_to_run([m for m in moves if m.inexact])
    adjusted = _adjusted([m.p_value(widened) for m in moves], [m.certain for m in moves])
    shifts = [
        _shift(before[k], after[k], move, widened, p < ERROR, same_place=not around)
        for k, move, p in zip(keys, moves, adjusted, strict=True)
    ]
    missing = set() if new.partial else _measured(base) - _measured(new)
    added = set() if base.partial else _measured(new) - _measured(base)
    return Comparison(base, new, tuple(around), tuple(shifts), tuple(sorted(missing)), tuple(sorted(added)), widened)


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


@dataclass(frozen=True)
class Move:
    """How far a metric's change moved from one run to the other, with its error's scale and degrees of freedom.

    On the scale of the change: logs of ratios, or differences. ``inexact`` ones differ from run to run by themselves.
    """

    gap: float
    scale: float
    df: float
    n: int
    zone: float
    inexact: bool

    @property
    def certain(self) -> bool:
        """Whether nothing was left to chance: all values of a run are the same."""
        return self.scale == 0

    def p_value(self, widened: float) -> float:
        """How likely a move so far beyond the zone, up or down, is without any."""
        beyond = abs(self.gap) - self.zone
        if self.certain:
            return 0.0 if beyond > 0 else 1.0
        return min(1.0, 2 * t_beyond(beyond / self._scale(widened), self.df)) if beyond > 0 else 1.0

    def interval(self, widened: float) -> Interval:
        """The gap with its interval."""
        reach = 0.0 if self.certain else self._scale(widened) * t_quantile(0.5 + CONFIDENCE / 2, self.df)
        return Interval(self.gap, self.gap - reach, self.gap + reach, self.n)

    def _scale(self, widened: float) -> float:
        return self.scale * (widened if self.inexact else 1.0)


def move_between(base: Sequence[float], new: Sequence[float], zone: float, inexact: bool) -> Move:
    """From the values of both runs, two at least of each, to how far their centres are apart.

    Yuen's trimmed means with Welch's degrees of freedom; inexact ones have SHARE of a replicate's variance added.
    """
    share = SHARE if inexact else 0.0
    centres, variances, freedoms = zip(*(_centre(values, share) for values in (base, new)), strict=True)
    whole = math.fsum(variances)
    weights = math.fsum(v * v / d for v, d in zip(variances, freedoms, strict=True))
    df = whole * whole / weights if weights else 1.0
    return Move(centres[1] - centres[0], math.sqrt(whole), df, min(len(base), len(new)), zone, inexact)


def run_to_run(moves: Sequence[Move]) -> float:
    """By how much the middle half of the moves is wider than expected of runs of the same code; 1 at least."""
    uncertain = [m for m in moves if not m.certain]
    if len(uncertain) < ENOUGH:
        return 1.0
    return max(1.0, median(abs(m.gap) / m.scale / t_quantile(0.75, m.df) for m in uncertain))


def _centre(values: Sequence[float], share: float) -> tuple[float, float, int]:
    """The trimmed mean, the variance of it as the run's own value, and its degrees of freedom."""
    array = np.asarray(values, dtype=float)
    if np.ptp(array) == 0:
        return float(array[0]), 0.0, array.size - 1
    centre = trimmed(array)
    # When only what was trimmed differs, to call the rest certain would be too much.
    single = centre.variance or float(array.var(ddof=1))
    return centre.mean, single * (1 / centre.kept + share), centre.kept - 1


def _move(base: Judgement, new: Judgement) -> Move:
    metric = new.metric
    zone = math.log1p(metric.zone) if metric.comparison == "ratio" else metric.zone
    return move_between(base.values, new.values, zone, inexact=not metric.exact)


def _shift(base: Judgement, new: Judgement, move: Move, widened: float, significant: bool, same_place: bool) -> Shift:
    metric = new.metric
    return Shift(
        point=new.point.id,
        metric=metric.name,
        better=metric.better,
        comparison=metric.comparison,
        zone=move.zone,
        base=base,
        new=new,
        shift=move.interval(widened),
        p_value=move.p_value(widened),
        arms=_arm_changes(base.point, new.point) if same_place and metric.kind in TIMED else {},
        significant=significant,
    )


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


def _adjusted(p_values: Sequence[float], certain: Sequence[bool]) -> list[float]:
    """Holm over what chance can move; the rest is as it is."""
    adjusted = iter(holm([p for p, sure in zip(p_values, certain, strict=True) if not sure]))
    return [p if sure else next(adjusted) for p, sure in zip(p_values, certain, strict=True)]


def exit_code(found: Comparison, fail_on: str | None) -> int:
    """1 when what was to be guarded has happened: a verdict that changed, or advice that lost."""
    if fail_on == "verdict":
        return int(any(s.verdict_changed for s in found.changed))
    if fail_on == "regression":
        return int(any(s.worse for s in found.changed))
    return 0
