"""An axis of numbers as a small chart: from where the advice helps, and from where more of it gains nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from bench.pair import RECOMMENDED
from bench.verdict import HOLDS, ClaimVerdict, Judgement, Verdict
from report.drawing import FAINT, INK, ZONE, factors, inline, open_frame, style, svg_of
from report.escape import plain
from report.marks import MARKS, Mark
from report.numbers import change_of, gain_of, three
from report.words import Words

LEAST = 3
# The axis whose anti-pattern is its 0, so that the chart begins there.
WORKERS = "workers"
_SIZE = (4.6, 2.3)
_LEAST, _MOST = 1e-6, 1e6
# With a spread like this an axis is read in factors.
_WIDE = 8.0


@dataclass(frozen=True)
class SweepPoint:
    """One value of the axis: how many times better with its interval, and what was said of it."""

    x: float
    gain: tuple[float, float, float]
    verdict: Verdict
    word: str
    told: str

    @property
    def mark(self) -> Mark:
        """How the verdict looks."""
        return MARKS[self.verdict]


@dataclass(frozen=True)
class Sweep:
    """A pair along its axis in one metric; ``crossings`` are the values at which it begins or ceases to help.

    ``sentences`` say where it helps, harms and saturates; ``from_none`` that the anti-pattern is the axis's 0.
    """

    pair: str
    device: str
    axis: str
    metric: str
    zone: float
    points: tuple[SweepPoint, ...]
    crossings: tuple[float, ...]
    sentences: tuple[str, ...]
    from_none: bool

    @property
    def title(self) -> str:
        """Pair, device and metric."""
        return f"{self.pair} ({self.device}): {self.metric}"


def sweeps(found: ClaimVerdict, words: Words) -> tuple[Sweep, ...]:
    """Every numeric axis of three points or more that was measured in the claim's own metric as a ratio."""
    groups: dict[tuple[str, str, str, str], dict[float, Judgement]] = {}
    for j in (*found.deciding, *found.others):
        x = _number(j)
        if x is not None and j.arm == RECOMMENDED and j.metric.kind == found.claim.metric and _gain(j) is not None:
            assert j.point.point is not None
            key = (j.point.pair, j.point.device, j.point.point.axis, j.metric.name)
            groups.setdefault(key, {}).setdefault(x, j)
    return tuple(_sweep(by_x, words) for by_x in groups.values() if len(by_x) >= LEAST)


def _number(j: Judgement) -> float | None:
    value = j.point.point.value if j.point.point is not None else None
    return float(value) if isinstance(value, (int, float)) and math.isfinite(value) else None


def _gain(j: Judgement) -> tuple[float, float, float] | None:
    gain = gain_of(j.change, j.metric) if j.change else None
    if gain is None or not all(math.isfinite(v) for v in gain):
        return None
    estimate, low, high = (min(_MOST, max(_LEAST, v)) for v in gain)
    return estimate, low, high


def _sweep(by_x: dict[float, Judgement], words: Words) -> Sweep:
    first = next(iter(by_x.values()))
    assert first.point.point is not None
    axis, zone = plain(first.point.point.axis), first.metric.zone
    points = tuple(_point(x, j, words) for x, j in sorted(by_x.items()))
    sentences, crossings = _helps(points, axis, zone, words)
    from_none = first.point.point.axis == WORKERS and points[0].x > 0
    if from_none:
        sentences = [*sentences, _saturation(points, zone, words)]
    return Sweep(
        pair=plain(first.point.pair),
        device=plain(first.point.device),
        axis=axis,
        metric=words.name_of(first.metric),
        zone=zone,
        points=points,
        crossings=tuple(crossings),
        sentences=tuple(sentences),
        from_none=from_none,
    )


def _point(x: float, j: Judgement, words: Words) -> SweepPoint:
    gain = _gain(j)
    assert gain is not None
    assert j.change is not None
    return SweepPoint(x, gain, j.verdict, words.verdicts[j.verdict], change_of(j.change, j.metric, words).text)


def _helps(points: Sequence[SweepPoint], axis: str, zone: float, words: Words) -> tuple[list[str], list[float]]:
    """Where the advice begins and ceases to help and to harm, in words and as places on the axis."""
    sentences, crossings = [], []
    for holds, everywhere, upward, downward in (
        (HOLDS, words.sweep_helps, words.sweep_helps_from, words.sweep_helps_to),
        ((Verdict.BACKFIRES,), words.sweep_harms, words.sweep_harms_from, words.sweep_harms_to),
    ):
        edge = math.log1p(zone) if holds is HOLDS else -math.log1p(zone)
        here = [p.verdict in holds for p in points]
        if all(here):
            sentences.append(everywhere.format(axis=axis, low=_shown(points[0].x), high=_shown(points[-1].x)))
        for (a, before), (b, after) in pairwise(zip(points, here, strict=True)):
            if before is not after:
                template = upward if after else downward
                x = _crossing(a, b, edge)
                crossings.append(x)
                sentences.append(
                    template.format(axis=axis, x=three(float(f"{x:.2g}")), low=_shown(a.x), high=_shown(b.x))
                )
    return sentences, crossings


def _crossing(a: SweepPoint, b: SweepPoint, edge: float) -> float:
    """Where the estimate crosses the zone's edge between two points: straight in logs, or the middle if it does not."""
    low, high = math.log(a.gain[0]) - edge, math.log(b.gain[0]) - edge
    share = low / (low - high) if low * high < 0 else 0.5
    if a.x > 0:
        return math.exp(math.log(a.x) + share * (math.log(b.x) - math.log(a.x)))
    return a.x + share * (b.x - a.x)


def _saturation(points: Sequence[SweepPoint], zone: float, words: Words) -> str:
    """The fewest workers than which no number is better beyond doubt by more than what is no difference."""
    surest = max(p.gain[1] for p in points)
    enough = next(p for p in points if p.gain[2] * (1 + zone) >= surest)
    if enough.gain[0] <= 1:
        return words.sweep_no_worker
    template = words.sweep_not_saturated if enough is points[-1] else words.sweep_saturates
    return template.format(n=_shown(enough.x))


def _shown(x: float) -> str:
    return three(x) if x != round(x) or abs(x) >= 1e6 else f"{x:.0f}"


def chart(sweep: Sweep, name: str, words: Words) -> str:
    """The axis to the right, times better upwards, the zone as a band, crossings as dashed lines."""
    with style(name):
        figure = Figure(figsize=_SIZE)
        axes = figure.add_axes((0.13, 0.22, 0.83, 0.72))
        axes.set_yscale("log")
        _draw(axes, sweep)
        _scale(axes, sweep)
        svg = svg_of(figure)
    told = "; ".join(f"{sweep.axis} {_shown(p.x)}: {p.told}, {p.word}" for p in sweep.points)
    title = words.sweep_title.format(title=sweep.title, axis=sweep.axis)
    return inline(svg, name, title, " ".join([f"{told}.", *sweep.sentences]))


def _draw(axes: Axes, sweep: Sweep) -> None:
    axes.axhspan(1 / (1 + sweep.zone), 1 + sweep.zone, color=ZONE, linewidth=0, zorder=0)
    axes.axhline(1, color=FAINT, linewidth=1, zorder=1)
    for x in sweep.crossings:
        axes.axvline(x, color=INK, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    start = [(0.0, 1.0)] if sweep.from_none else []
    frame = pd.DataFrame([*start, *((p.x, p.gain[0]) for p in sweep.points)], columns=["x", "gain"])
    sns.lineplot(frame, x="x", y="gain", color=FAINT, linewidth=1.4, estimator=None, ax=axes, zorder=2)
    for p in sweep.points:
        axes.plot([p.x, p.x], p.gain[1:], color=p.mark.colour, linewidth=2.2, solid_capstyle="butt", zorder=3)
        axes.scatter([p.x], [p.gain[0]], s=46, color=p.mark.colour, marker=p.mark.marker, linewidths=0, zorder=4)


def _scale(axes: Axes, sweep: Sweep) -> None:
    values = [p.x for p in sweep.points]
    if values[0] > 0 and values[-1] / values[0] >= _WIDE and not sweep.from_none:
        axes.set_xscale("log", base=2)
    shown = _apart([0.0, *values] if sweep.from_none else values, wide=axes.get_xscale() == "log")
    axes.set_xticks(shown, [_shown(x) for x in shown])
    axes.xaxis.set_minor_locator(NullLocator())
    factors(axes)
    axes.set_xlabel(sweep.axis, color=INK, parse_math=False)
    axes.set_ylabel("")
    axes.tick_params(axis="both", which="both", labelsize=8, labelcolor=INK)
    axes.grid(axis="y")
    open_frame(axes)


def _apart(values: Iterable[float], wide: bool) -> list[float]:
    """The values whose labels do not lie on each other: a twelfth of the axis apart."""
    places = sorted(values)
    along = [math.log(x) for x in places] if wide else places
    least = (along[-1] - along[0]) / 12
    shown, last = [], -math.inf
    for x, place in zip(places, along, strict=True):
        if place - last >= least:
            shown.append(x)
            last = place
    return shown
