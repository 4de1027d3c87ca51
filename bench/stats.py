"""From paired samples to an estimate with its interval: medians of blocks, the signed-rank interval over replicates.

A process's blocks share its memory layout, so they are not independent; the replicate (a fresh set of processes) is
the unit, or the fork server where one gave several. A replicate's value is the median of its blocks' log ratios, which
spikes hardly move and drift moves not at all, since a block's arms are adjacent and their order is random. Over
replicates we use the Hodges-Lehmann estimate and the interval that inverts the Wilcoxon signed-rank test (Hollander,
Wolfe and Chicken, Nonparametric Statistical Methods, 3rd ed., section 3.3): exact for every symmetric noise, and the
log ratio of two arms under the same noise is symmetric.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import median

import numpy as np
from numpy.typing import NDArray
from scipy import special

CONFIDENCE = 0.95
# With fewer values no signed-rank interval reaches 95 %.
SIGNED_RANK_FROM = 6
# With fewer values the trimmed test finds less than Student's, also under spikes.
TRIMMED_FROM = 10
TRIM = 0.2


@dataclass(frozen=True)
class Interval:
    """An estimate with its confidence interval, from ``n`` independent values: logs of ratios, or differences."""

    estimate: float
    low: float
    high: float
    n: int

    @property
    def half_width(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2


def replicate_log_ratio(base: Sequence[float], other: Sequence[float]) -> float:
    """The median over a replicate's blocks of ``log(other / base)``; both in seconds, same length, all above 0."""
    # A handful of numbers, many thousand times: numpy's median takes ten times as long.
    return median(math.log(theirs) - math.log(ours) for ours, theirs in zip(base, other, strict=True))


def interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval:
    """The Hodges-Lehmann estimate of ``values``' centre with its signed-rank interval.

    With fewer than six values no such interval reaches 95 %, so Student's is used. Values that are all the same give
    an interval of no width. Raises ValueError for fewer than two values or for values that are not finite.
    """
    array = np.asarray(values, dtype=float)
    if array.size < 2:
        raise ValueError(f"an interval needs 2 values or more, got {array.size}")
    if not np.isfinite(array).all():
        raise ValueError("an interval needs finite values")
    if np.ptp(array) == 0:
        return Interval(float(array[0]), float(array[0]), float(array[0]), array.size)
    if array.size < SIGNED_RANK_FROM:
        return _student(array, confidence)
    walsh = _walsh_averages(array)
    drop = _signed_rank_drop(array.size, confidence)
    return Interval(float(np.median(walsh)), float(walsh[drop]), float(walsh[-1 - drop]), array.size)


def p_beyond(values: Sequence[float], edge: float) -> float:
    """How likely values this far beyond ``edge`` (away from 0) are when their centre is no further: a one-sided p.

    No rank test, since one of n values cannot go below 2^-n and a run's correction for many claims needs smaller
    numbers. Student's test finds nothing once a spike is among the values, so from ten values on the trimmed one is
    tried as well (Tukey and McLaughlin, Sankhya A 25, 1963), and the smaller p counts three times: twice for two
    tries, and once more because the trimmed test errs a little more often than it says. Values that are all the same
    give 0 or 1.
    """
    array = np.asarray(values, dtype=float)
    if edge < 0:
        array, edge = -array, -edge
    if np.ptp(array) == 0:
        return 0.0 if array[0] > edge else 1.0
    student = _student_beyond(array, edge)
    return student if array.size < TRIMMED_FROM else min(1.0, 3 * min(student, _trimmed_beyond(array, edge)))


def _student_beyond(array: NDArray[np.float64], edge: float) -> float:
    t = float(array.mean() - edge) / float(array.std(ddof=1)) * math.sqrt(array.size)
    return t_beyond(t, array.size - 1)


def _trimmed_beyond(array: NDArray[np.float64], edge: float) -> float:
    centre = trimmed(array)
    if centre.variance == 0:
        # Only what was left out differs, and to call the rest certain would be too much.
        return 1.0
    return t_beyond((centre.mean - edge) / math.sqrt(centre.variance / centre.kept), centre.kept - 1)


@dataclass(frozen=True)
class Trimmed:
    """A trimmed mean of ``kept`` values, and the variance of one of them: the mean's is that over ``kept``."""

    mean: float
    variance: float
    kept: int


def trimmed(values: Sequence[float] | NDArray[np.float64]) -> Trimmed:
    """The mean without a fifth of the values at each end; what was left out counts as the furthest that was kept.

    Yuen, The two-sample trimmed t for unequal population variances, Biometrika 1974. Raises ValueError for fewer than
    two values.
    """
    array = np.sort(np.asarray(values, dtype=float))
    if array.size < 2:
        raise ValueError(f"a variance needs 2 values or more, got {array.size}")
    drop = int(TRIM * array.size)
    kept = array[drop : array.size - drop]
    squares = float(np.var(np.clip(array, kept[0], kept[-1]))) * array.size
    return Trimmed(float(kept.mean()), squares / (kept.size - 1), kept.size)


def t_beyond(t: float, df: float) -> float:
    """How likely Student's t with ``df`` degrees of freedom lies above ``t``."""
    # From scipy.special, since importing scipy.stats takes longer than judging a run.
    return float(special.stdtr(df, -t))


def t_quantile(p: float, df: float) -> float:
    """Below which value Student's t with ``df`` degrees of freedom lies with probability ``p``."""
    return float(special.stdtrit(df, p))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values adjusted for their number (Holm 1979), in the order given."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [1.0] * len(p_values)
    floor = 0.0
    for rank, i in enumerate(order):
        floor = max(floor, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = floor
    return adjusted


def at_least(found: Interval, answers: int, confidence: float = CONFIDENCE) -> Interval:
    """An interval of a difference of shares, no narrower than ``answers`` in all can tell.

    When none of N answers changed, up to -log(1 - confidence) / N of all may still change: the rule of three (Hanley
    and Lippman-Hand, If nothing goes wrong, is everything all right?, JAMA 1983).
    """
    reach = -math.log(1 - confidence) / answers
    low, high = min(found.low, found.estimate - reach), max(found.high, found.estimate + reach)
    return Interval(found.estimate, low, high, found.n)


def wanted_half_width(found: Interval, zone: float, promised: float | None = None) -> float:
    """How narrow a log ratio's interval must be: half the zone, or a tenth of the effect when that is more.

    Near what a document promises, as a log ratio, a third of the way there is wanted instead of the tenth, so that the
    interval tells whether it is kept. From fewer than six values it must be twice as narrow: those are narrow by chance
    so often that the intervals which end a measurement would hold the truth too rarely.
    """
    wanted = abs(found.estimate) / 10
    if promised is not None:
        wanted = min(wanted, abs(found.estimate - promised) / 3)
    wanted = max(math.log1p(zone) / 2, wanted)
    return wanted if found.n >= SIGNED_RANK_FROM else wanted / 2


def _walsh_averages(array: NDArray[np.float64]) -> NDArray[np.float64]:
    i, j = _pairs(array.size)
    return np.sort((array[i] + array[j]) / 2)


@cache
def _pairs(n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Both places of every pair of ``n`` values, each with itself among them."""
    return np.triu_indices(n)


@cache
def _signed_rank_drop(n: int, confidence: float) -> int:
    """How many Walsh averages to leave out at each end, from the exact distribution of the signed-rank sum."""
    ways = np.zeros(n * (n + 1) // 2 + 1)
    ways[0] = 1
    for rank in range(1, n + 1):
        ways[rank:] += ways[:-rank].copy()
    below = np.cumsum(ways / ways.sum())
    return max(0, int(np.searchsorted(below, (1 - confidence) / 2, side="right")) - 1)


def _student(array: NDArray[np.float64], confidence: float) -> Interval:
    mean = float(array.mean())
    reach = t_quantile(0.5 + confidence / 2, array.size - 1) * float(array.std(ddof=1)) / math.sqrt(array.size)
    return Interval(mean, mean - reach, mean + reach, array.size)
