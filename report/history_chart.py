"""One pair over time: every run's estimate with its interval, the zone, and the levels before and after each step."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from report.drawing import FAINT, INK, LINE, ZONE, factors, inline, open_frame, style, svg_of
from report.history_rows import ReadingRow, TrackRow
from report.words import Words

_SIZE = (6.2, 2.1)
# What a scale in times better can show.
_LEAST, _MOST = 1e-6, 1e6
# With more runs than these the single marks would be a smear.
_MARKED = 60
_TICKS = 5


def chart_body(row: TrackRow) -> str:
    """matplotlib's picture, which has no words in it and is the same in every language. Empty without a number."""
    found = [(i, value) for i, r in enumerate(row.readings) if (value := _shown(r, row.ratio)) is not None]
    if not found:
        return ""
    with style(row.id):
        figure = Figure(figsize=_SIZE)
        axes = figure.add_axes((0.1, 0.2, 0.84, 0.68))
        if row.ratio:
            axes.set_yscale("log")
        _draw(axes, row, found)
        _steps(axes, row)
        _scale(axes, row)
        return svg_of(figure)


def chart(row: TrackRow, body: str, words: Words) -> str:
    """The picture as a part of the page in one language; its text alternative has every change with its numbers."""
    if not body:
        return ""
    title = words.history_chart_title.format(label=row.label)
    first, last = row.readings[0], row.readings[-1]
    ends = [f"{r.date}: {r.told}" for r in (first, last)]
    return inline(body, row.id, title, " ".join([*(s for c in row.changes for s in c.sentences), "; ".join(ends)]))


def _shown(reading: ReadingRow, ratio: bool) -> tuple[float, float, float] | None:
    """The value where a picture can hold it."""
    if reading.value is None or not all(math.isfinite(v) for v in reading.value):
        return None
    if not ratio:
        return reading.value
    estimate, low, high = (min(_MOST, max(_LEAST, v)) for v in reading.value)
    return estimate, low, high


def _draw(axes: Axes, row: TrackRow, found: Sequence[tuple[int, tuple[float, float, float]]]) -> None:
    runs = [i for i, _ in found]
    none = 1.0 if row.ratio else 0.0
    low, high = (1 / (1 + row.zone), 1 + row.zone) if row.ratio else (-row.zone, row.zone)
    axes.axhspan(low, high, color=ZONE, linewidth=0, zorder=0)
    axes.axhline(none, color=FAINT, linewidth=1, zorder=1)
    axes.fill_between(
        runs, [v[1] for _, v in found], [v[2] for _, v in found], color=LINE, alpha=0.25, linewidth=0, zorder=2
    )
    frame = pd.DataFrame({"run": runs, "value": [v[0] for _, v in found]})
    sns.lineplot(frame, x="run", y="value", color=LINE, linewidth=1.2, estimator=None, ax=axes, zorder=3)
    if len(found) <= _MARKED:
        shapes = {row.readings[i].mark.marker: row.readings[i].mark for i, _ in found}
        for mark in shapes.values():
            here = [(i, v[0]) for i, v in found if row.readings[i].mark == mark]
            places, values = zip(*here, strict=True)
            axes.scatter(places, values, s=26, color=mark.colour, marker=mark.marker, linewidths=0, zorder=4)


def _steps(axes: Axes, row: TrackRow) -> None:
    """Each change as a numbered line before its first run, and the levels on both sides."""
    for change in row.changes:
        axes.axvline(change.at - 0.5, color=INK, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
        axes.annotate(
            str(change.number),
            (change.at - 0.5, 1.02),
            xycoords=axes.get_xaxis_transform(),
            ha="center",
            va="bottom",
            color=INK,
            fontsize=9,
        )
        for first, last, value in change.levels:
            level = min(_MOST, max(_LEAST, value)) if row.ratio else value
            if math.isfinite(level):
                axes.plot([first - 0.4, last + 0.4], [level, level], color=INK, linewidth=1.4, zorder=5)


def _scale(axes: Axes, row: TrackRow) -> None:
    n = len(row.readings)
    axes.set_xlim(-0.8, n - 0.2)
    places = sorted({round(k * (n - 1) / (min(_TICKS, n) - 1 or 1)) for k in range(min(_TICKS, n))})
    axes.set_xticks(places, [row.readings[i].date[:10] for i in places], parse_math=False)
    axes.set_xlabel("")
    axes.set_ylabel("")
    if row.ratio:
        factors(axes)
    if row.inverted:
        axes.invert_yaxis()
    axes.tick_params(axis="both", which="both", labelsize=8, labelcolor=INK)
    axes.grid(axis="y")
    open_frame(axes)
