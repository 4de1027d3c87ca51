"""The forest: how many times better each recommendation is, beside what the document promises."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from report.drawing import CHARACTER, FAINT, INK, PROMISE, ZONE, columns, inline, style, svg_of
from report.facts import confidence
from report.marks import MARKS
from report.rows import ClaimRow, JudgementRow
from report.words import Words

# Inches: the picture, one line of it, its upper and lower margin.
_PLOT, _LINE, _TOP, _BOTTOM = 5.2, 0.27, 0.15, 0.75
# How far to either side of 1 the scale goes at most and at least.
_WIDEST, _NARROWEST = 16.0, 1.25
# The factors marked on the scale, by how far it goes.
_TICKS = ((6.0, (2, 4, 8, 16)), (2.2, (2, 3, 5)), (1.5, (1.2, 1.5, 2)), (0.0, (1.1, 1.2, 1.4)))


@dataclass(frozen=True)
class _Line:
    """One line of the forest: a judgement, its label and its height on the axis."""

    label: str
    y: float
    judgement: JudgementRow
    gain: tuple[float, float, float]


def forest(claims: Sequence[ClaimRow], words: Words) -> str:
    """A line per point of every claim that is judged by a ratio: zone, promise, interval and mark. Empty for none."""
    lines = _lines(claims)
    if not lines:
        return ""
    with style("forest"):
        figure, axes = _canvas(lines, words)
        reach = _reach(lines)
        _background(axes, lines, reach)
        _marks(axes, lines, reach)
        _labels(axes, lines, words)
        _scale(axes, reach, words)
        svg = svg_of(figure)
    title = words.chart_title.format(confidence=confidence())
    told = " ".join(
        words.chart_line.format(label=x.label, change=x.judgement.told, verdict=x.judgement.word) for x in lines
    )
    return inline(svg, "forest", title, words.chart_desc.format(lines=told))


def _lines(claims: Sequence[ClaimRow]) -> list[_Line]:
    """The points of a claim close together, the claims apart; the first at the top."""
    lines: list[_Line] = []
    y = 0.0
    for claim in claims:
        shown = [(j, j.gain) for j in claim.deciding if j.gain is not None]
        for i, (judgement, gain) in enumerate(shown):
            y -= 1.0 if i else 1.25
            place = judgement.where if len(shown) > 1 else ""
            lines.append(_Line(f"{claim.id}  {place}".strip(), y, judgement, gain))
    return lines


def _canvas(lines: Sequence[_Line], words: Words) -> tuple[Figure, Axes]:
    """Room for the longest label on the left and the longest change on the right."""
    height = _TOP + _BOTTOM - _LINE * (lines[-1].y - 0.75)
    left = 0.2 + CHARACTER * max(columns(x.label) for x in lines)
    right = 0.45 + CHARACTER * max(columns(_told(x, words)) for x in lines)
    width = left + _PLOT + right
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((left / width, _BOTTOM / height, _PLOT / width, 1 - (_TOP + _BOTTOM) / height))
    axes.set_xscale("log")
    axes.set_ylim(lines[-1].y - 0.75, 0)
    return figure, axes


def _reach(lines: Sequence[_Line]) -> float:
    """How far the scale goes to either side of 1: to the farthest end, within limits."""
    values = [v for x in lines for v in (*x.gain, *(x.judgement.promised or ())) if math.isfinite(v) and v > 0]
    farthest = max((abs(math.log(v)) for v in values), default=0.0)
    return min(_WIDEST, max(_NARROWEST, math.exp(farthest) * 1.06))


def _background(axes: Axes, lines: Sequence[_Line], reach: float) -> None:
    axes.axvline(1, color=FAINT, linewidth=1, zorder=1)
    for x in lines:
        zone = 1 + max(0.0, x.judgement.zone)
        axes.fill_between([1 / zone, zone], x.y - 0.625, x.y + 0.625, color=ZONE, linewidth=0, zorder=0)
        if x.judgement.promised is not None:
            low, high = (min(reach, max(1 / reach, v)) for v in x.judgement.promised)
            # A promise without width would be an invisible bar.
            if high / low < 1.005:
                low, high = low / 1.0025, high * 1.0025
            axes.fill_between([low, high], x.y - 0.36, x.y + 0.36, color=PROMISE, linewidth=0, zorder=2)


def _marks(axes: Axes, lines: Sequence[_Line], reach: float) -> None:
    for x in lines:
        colour = MARKS[x.judgement.verdict].colour
        low, high = (min(reach, max(1 / reach, v)) for v in x.gain[1:])
        if low < high:
            axes.plot([low, high], [x.y, x.y], color=colour, linewidth=2.2, solid_capstyle="butt", zorder=3)
        if not 1 / reach <= x.gain[0] <= reach:
            _arrow(axes, x, reach, colour)
    _scatter(axes, [x for x in lines if 1 / reach <= x.gain[0] <= reach])


def _scatter(axes: Axes, lines: Sequence[_Line]) -> None:
    """The estimates, each in its verdict's shape and colour."""
    # seaborn warns of a palette without data.
    if not lines:
        return
    frame = pd.DataFrame(
        {
            "gain": [x.gain[0] for x in lines],
            "y": [x.y for x in lines],
            "verdict": [x.judgement.verdict.value for x in lines],
        }
    )
    sns.scatterplot(
        frame,
        x="gain",
        y="y",
        hue="verdict",
        style="verdict",
        palette={v.value: m.colour for v, m in MARKS.items()},
        markers={v.value: m.marker for v, m in MARKS.items()},
        s=52,
        linewidth=0,
        legend=False,
        zorder=4,
        ax=axes,
    )


def _arrow(axes: Axes, x: _Line, reach: float, colour: str) -> None:
    """For an estimate outside the picture: an arrow at the edge; the number stands on the right."""
    right = x.gain[0] > reach
    axes.plot(
        [reach if right else 1 / reach], [x.y], marker=">" if right else "<", color=colour, markersize=8, clip_on=False
    )


def _labels(axes: Axes, lines: Sequence[_Line], words: Words) -> None:
    """Claim and point on the left; symbol, verdict and change on the right. Never parsed as mathematics."""
    across = axes.get_yaxis_transform()
    common: dict[str, Any] = {"va": "center", "parse_math": False, "clip_on": False, "fontsize": 9}
    for x in lines:
        j = x.judgement
        axes.text(-0.015, x.y, x.label, ha="right", color=INK, transform=across, **common)
        axes.text(1.02, x.y, j.mark.symbol, color=j.mark.colour, transform=across, **common)
        axes.text(1.05, x.y, _told(x, words), color=INK, transform=across, **common)


def _told(x: _Line, words: Words) -> str:
    return words.labelled.format(label=x.judgement.word, text=x.judgement.told)


def _scale(axes: Axes, reach: float, words: Words) -> None:
    axes.set_xlim(1 / reach, reach)
    ticks = _ticks(reach)
    axes.set_xticks(ticks, [f"{t:.2g}×" for t in ticks])
    axes.minorticks_off()
    axes.set_yticks([])
    axes.set_xlabel("")
    assert isinstance(axes.figure, Figure)
    below = -0.33 / (axes.get_position().height * axes.figure.get_figheight())
    for x, side, text in (
        (0, "left", words.chart_worse),
        (0.5, "center", words.chart_axis),
        (1, "right", words.chart_better),
    ):
        axes.text(x, below, text, ha=side, va="top", color=INK, transform=axes.transAxes)
    axes.set_ylabel("")
    axes.grid(axis="x")
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)


def _ticks(reach: float) -> list[float]:
    """1 and a few round factors to either side, far enough apart to be read."""
    factors = next(factors for least, factors in _TICKS if reach > least)
    shown = [f for f in factors if f <= reach]
    return [*(1 / f for f in reversed(shown)), 1, *shown]
