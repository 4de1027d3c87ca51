"""Where a pair's ratio has changed for good: change points in a series of runs, and never a single odd night.

The series is cut where its weighted sum of squares falls most, again and again (binary segmentation, Scott and Knott
1974), and then the cuts that noise explains are taken back, the weakest first, each tested against the two levels
beside it by Student's test, as in Fleming et al. 2023 (Hunter, ICPE). A step must be beyond the zone, like the shift
between two runs in ``bench.compare``, and the error of a machine's whole history is shared among its series and runs
(Bonferroni). How much a run may vary is what its own interval says, or what the pairs of this machine vary beyond
their intervals, or what this pair does: whichever is most.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import special

from bench.verdict import Verdict

# A history of unchanged pairs must not report a step more than 1 time in 100.
ERROR = 0.01
# Runs on each side of a step, and of one that changes the verdict with it.
LEAST, LEAST_WITH_VERDICT = 3, 2
# An odd run is this many standard errors away from both its neighbours.
ODD = 4.0
# A cut that noise makes this easily is not even tried: its worth in standard deviations.
WORTH = 3.0
# From an interval's half-width to a standard error.
_NORMAL = 1.96
# What makes a median of absolute deviations a standard deviation.
_MAD = 1.4826
Floats = NDArray[np.float64]
_SILENT = (None, Verdict.UNCLEAR, Verdict.NOT_MEASURED)


@dataclass(frozen=True)
class Series:
    """One pair's change run by run: logs of ratios, or differences; ``errors`` are standard errors, 0 for exact values.

    ``zone`` is half the range that is no difference, on the same scale.
    """

    values: Floats
    errors: Floats
    verdicts: tuple[Verdict | None, ...]
    zone: float


@dataclass(frozen=True)
class Step:
    """A new level from run ``at`` on, after that of the runs from ``begin``; it ends before ``end``.

    ``before`` and ``after`` are (estimate, low, high) of the two levels; ``p_value`` is corrected.
    """

    begin: int
    at: int
    end: int
    before: tuple[float, float, float]
    after: tuple[float, float, float]
    p_value: float


@dataclass(frozen=True)
class _Noise:
    """A run's standard deviation and the degrees of freedom it is known with."""

    sd: float
    freedom: float


def errors_of(half_widths: Sequence[float]) -> Floats:
    """Standard errors from the half-widths of 95 % intervals."""
    return np.asarray(half_widths, dtype=float) / _NORMAL


def inflation(series: Sequence[Series]) -> float:
    """How much more than their intervals say this machine's pairs vary from run to run; nine in ten do by no more.

    From successive differences, which a step hardly moves. At least 1.
    """
    found = []
    for one in series:
        typical = float(np.median(one.errors)) if one.errors.size else 0.0
        if one.values.size > LEAST and typical > 0:
            found.append(_from_differences(one.values) / typical)
    return max(1.0, float(np.quantile(found, 0.9))) if found else 1.0


def steps_of(series: Series, inflated: float, tests: int) -> list[Step]:
    """The steps of one series of runs in their order; ``tests`` is the number of series of this machine."""
    if not _may_have_one(series):
        return []
    kept = np.flatnonzero(~_odd(series, inflated))
    levels = _Levels(series, kept, inflated, tests * kept.size)
    cuts = levels.pruned(_cuts(levels, 0, kept.size))
    return [levels.step(cuts, i) for i in range(len(cuts))]


def settled(verdicts: Sequence[Verdict | None]) -> Verdict | None:
    """What two runs that say anything agree on, the first two of those given; None when they do not."""
    telling = [v for v in verdicts if v not in _SILENT][:LEAST_WITH_VERDICT]
    return telling[0] if len(telling) == LEAST_WITH_VERDICT and len(set(telling)) == 1 else None


def verdict_changes(verdicts: Sequence[Verdict | None]) -> list[int]:
    """The first runs of new verdicts where two runs in turn said one thing and the next two another."""
    telling = [i for i, v in enumerate(verdicts) if v not in _SILENT]
    found, current = [], settled(verdicts)
    for a, b in pairwise(telling):
        if verdicts[a] is verdicts[b] and verdicts[a] is not current:
            if current is not None:
                found.append(a)
            current = verdicts[a]
    return found


class _Levels:
    """A series without its odd runs, and the sums by which any stretch of it has its mean at once."""

    def __init__(self, series: Series, kept: NDArray[np.intp], inflated: float, tests: int) -> None:
        self.series, self.kept, self.tests = series, kept, tests
        self.values, errors = series.values[kept], series.errors[kept]
        typical = float(np.median(errors))
        self.floor = inflated * typical
        self.worth = (WORTH * max(self.floor, _from_differences(self.values))) ** 2
        # A run with a wide interval counts for less; none counts for more than the typical one.
        wide = np.maximum(errors, typical)
        self.weights = (typical / wide) ** 2 if typical > 0 else np.ones_like(errors)
        products = self.weights * self.values
        self.weight = np.concatenate([[0.0], np.cumsum(self.weights)])
        self.first = np.concatenate([[0.0], np.cumsum(products)])

    def mean(self, begin: int, end: int) -> float:
        return float((self.first[end] - self.first[begin]) / self._weight(begin, end))

    def fall(self, begin: int, end: int) -> Floats:
        """By how much every cut inside a stretch lets the sum of squares fall; the ends leave two runs on each side."""
        at = np.arange(begin + LEAST_WITH_VERDICT, end - LEAST_WITH_VERDICT + 1)
        left, right = self.weight[at] - self.weight[begin], self.weight[end] - self.weight[at]
        gap = (self.first[at] - self.first[begin]) / left - (self.first[end] - self.first[at]) / right
        fall: Floats = gap**2 * left * right / (left + right)
        return fall

    def pruned(self, cuts: list[int]) -> list[int]:
        """The cuts that noise does not explain."""
        cuts = list(cuts)
        while cuts:
            noise = self._noise(cuts)
            judged = [self._judged(cuts, i, noise) for i in range(len(cuts))]
            # The likeliest to be noise goes first; of those that nothing speaks for, the smallest.
            worst = max(range(len(cuts)), key=lambda i: (judged[i][0], -judged[i][1]))
            if judged[worst][0] * self.tests < ERROR:
                break
            del cuts[worst]
        return cuts

    def step(self, cuts: Sequence[int], i: int) -> Step:
        begin, at, end = self._around(cuts, i)
        noise = self._noise(cuts)
        last = int(self.kept[end]) if end < self.kept.size else self.series.values.size
        return Step(
            begin=int(self.kept[begin]),
            at=int(self.kept[at]),
            end=last,
            before=self._level(begin, at, noise),
            after=self._level(at, end, noise),
            p_value=min(1.0, self._judged(cuts, i, noise)[0] * self.tests),
        )

    def _level(self, begin: int, end: int, noise: _Noise) -> tuple[float, float, float]:
        mean = self.mean(begin, end)
        reach = noise.sd * _NORMAL / math.sqrt(self._weight(begin, end))
        return mean, mean - reach, mean + reach

    def _judged(self, cuts: Sequence[int], i: int, noise: _Noise) -> tuple[float, float]:
        """How likely noise makes such a cut, and how large it is in its own standard errors."""
        begin, at, end = self._around(cuts, i)
        beyond = abs(self.mean(begin, at) - self.mean(at, end)) - self.series.zone
        error = noise.sd * math.sqrt(1 / self._weight(begin, at) + 1 / self._weight(at, end))
        size = beyond / error if error > 0 else math.copysign(math.inf, beyond - 1e-12)
        if not (self._long_enough(begin, at, end) and self._of_one_mind(begin, at, end)):
            return 1.0, size
        if math.isinf(noise.freedom) or math.isinf(size):
            return min(1.0, 2 * float(special.ndtr(-size))), size
        return min(1.0, 2 * float(special.stdtr(noise.freedom, -size))), size

    def _long_enough(self, begin: int, at: int, end: int) -> bool:
        """Three runs on each side; two at an end of the series will do where the verdict changed as well.

        Two in its middle are an excursion, which nights of noise make.
        """
        before_needs, after_needs = LEAST_WITH_VERDICT + (begin > 0), LEAST_WITH_VERDICT + (end < self.kept.size)
        if min(at - begin, end - at) >= LEAST:
            return True
        if at - begin < before_needs or end - at < after_needs:
            return False
        said = [self.series.verdicts[k] for k in self.kept]
        before, after = settled(said[begin:at][::-1]), settled(said[at:end])
        return before is not None and after is not None and before is not after

    def _of_one_mind(self, begin: int, at: int, end: int) -> bool:
        """Whether in a short level every run is on its side of the middle: two spikes and a usual run are no level."""
        before, after = self.mean(begin, at), self.mean(at, end)
        above = (self.values[begin:end] > (before + after) / 2) == (after > before)
        left, right = ~above[: at - begin], above[at - begin :]
        return all(side.all() for side in (left, right) if side.size < 2 * LEAST)

    def _noise(self, cuts: Sequence[int]) -> _Noise:
        """The pair's own around its levels, unless the machine's pairs vary more than that."""
        edges = [0, *cuts, self.kept.size]
        means = np.concatenate([np.full(b - a, self.mean(a, b)) for a, b in pairwise(edges)])
        freedom = self.kept.size - len(edges) + 1
        squares = float(np.sum(self.weights * (self.values - means) ** 2))
        own = math.sqrt(squares / freedom) if freedom > 0 else math.inf
        return _Noise(own, freedom) if own > self.floor else _Noise(self.floor, math.inf)

    def _weight(self, begin: int, end: int) -> float:
        return float(self.weight[end] - self.weight[begin])

    def _around(self, cuts: Sequence[int], i: int) -> tuple[int, int, int]:
        edges = [0, *cuts, self.kept.size]
        return edges[i], edges[i + 1], edges[i + 2]


def _cuts(levels: _Levels, begin: int, end: int) -> list[int]:
    """Where a stretch is best cut, down to two runs: far too often, for what noise explains is taken back later."""
    if end - begin < 2 * LEAST_WITH_VERDICT:
        return []
    fall = levels.fall(begin, end)
    at = begin + LEAST_WITH_VERDICT + int(np.argmax(fall))
    if fall.max() <= levels.worth:
        return []
    return [*_cuts(levels, begin, at), at, *_cuts(levels, at, end)]


def _from_differences(values: Floats) -> float:
    """The standard deviation of a run, from the median change to the next, which steps hardly move."""
    return _MAD * float(np.median(np.abs(np.diff(values)))) / math.sqrt(2)


def _may_have_one(series: Series) -> bool:
    """Whether two runs in turn are beyond the zone from two others; most series of a history are done with here."""
    if series.values.size < 2 * LEAST_WITH_VERDICT:
        return False
    pairs = (series.values[1:] + series.values[:-1]) / 2
    return float(np.ptp(pairs)) > series.zone


def _odd(series: Series, inflated: float) -> NDArray[np.bool_]:
    """Single runs far from both neighbours, which agree with each other."""
    odd = np.zeros(series.values.size, dtype=np.bool_)
    left, right = np.diff(series.values)[:-1], -np.diff(series.values)[1:]
    away = np.minimum(np.abs(left), np.abs(right))
    alone = (left * right > 0) & (np.abs(series.values[2:] - series.values[:-2]) < away / 2)
    odd[1:-1] = alone & (away > ODD * inflated * np.median(series.errors))
    return odd
