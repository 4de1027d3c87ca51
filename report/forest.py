"""The forest: how many times better each recommendation is, beside what the document promises."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from bench.verdict import Verdict
from report.drawing import CHARACTER, FAINT, INK, PROMISE, ZONE, columns, inline, open_frame, style, svg_of
from report.facts import confidence
from report.marks import MARKS, Mark
from report.numbers import three
from report.rows import ClaimRow, JudgementRow
from report.words import Words

# Inches: the scale, a line's height, the upper and lower margin; a phone's width, and a line with its text above it.
_PLOT, _LINE, _TOP, _BOTTOM = 4.4, 0.27, 0.15, 0.75
_PHONE, _PHONE_LINE = 3.5, 0.5
# How far to either side of 1 the scale goes at most and at least.
_WIDEST, _NARROWEST = 16.0, 1.25
# The factors marked on the scale, by how far it goes.
_TICKS = ((6.0, (2, 4, 8, 16)), (2.2, (2, 3, 5)), (1.5, (1.2, 1.5, 2)), (0.0, (1.1, 1.2, 1.4)))
# What a reader looks for first stands first.
_ORDER = (
    *(Verdict.CONFIRMED, Verdict.WEAKER, Verdict.BACKFIRES, Verdict.NO_EFFECT, Verdict.UNCLEAR),
    *(Verdict.NOT_MEASURED, Verdict.BROKEN),
)
Gain = tuple[float, float, float]


@dataclass(frozen=True)
class _Line:
    """One line of the forest at a height of the axis: a label, one judgement or more, and the verdict on them.

    ``text`` says in short what was measured, ``told`` every number of it.
    """

    label: str
    y: float
    shown: tuple[tuple[JudgementRow, Gain], ...]
    mark: Mark
    word: str
    text: str
    told: str

    def beside(self, words: Words) -> str:
        """The verdict and what was measured."""
        return words.labelled.format(label=self.word, text=self.text)


def forest(claims: Sequence[ClaimRow], words: Words, *, phone: bool = False) -> str:
    """A line per claim that is judged by a ratio, with a mark for each of its points. Empty for none.

    Ordered by verdict and then by the largest gain. For a ``phone`` the texts stand above the marks.
    """
    lines, name = _lines(claims, words, phone), "forest-phone" if phone else "forest"
    if not lines:
        return ""
    with style(name):
        figure, axes = _canvas(lines, words, phone)
        reach = _reach(lines)
        _background(axes, lines, reach, phone)
        _marks(axes, lines, reach)
        if phone:
            _labels_above(axes, lines)
        else:
            _labels_beside(axes, lines, words)
        _scale(axes, reach, "" if phone else words.chart_axis, words)
        svg = svg_of(figure)
    title = words.chart_title.format(confidence=confidence())
    told = " ".join(words.chart_line.format(label=x.label, change=x.told, verdict=x.word) for x in lines)
    return inline(svg, name, title, words.chart_desc.format(lines=told))


def _lines(claims: Sequence[ClaimRow], words: Words, phone: bool) -> list[_Line]:
    """A line per claim; a gap where the verdict changes."""
    found = [(c, _shown(c)) for c in claims if _shown(c)]
    found.sort(key=lambda item: (_ORDER.index(item[0].verdict), -max(gain[0] for _, gain in item[1])))
    lines: list[_Line] = []
    y, before = 0.0, None
    for claim, shown in found:
        y -= 1.0 if claim.verdict is before or before is None else 1.5
        before = claim.verdict
        told = "; ".join(f"{j.where if len(shown) > 1 else ''} {j.told}".strip() for j, _ in shown)
        text = _span(shown) if phone else _range(shown, words)
        lines.append(_Line(claim.id, y, shown, claim.mark, claim.word, text, told))
    return lines


def _shown(claim: ClaimRow) -> tuple[tuple[JudgementRow, Gain], ...]:
    return tuple((j, j.gain) for j in claim.deciding if j.gain is not None)


def _range(shown: Sequence[tuple[JudgementRow, Gain]], words: Words) -> str:
    """One change as it is; of several the least and the most times better."""
    if len(shown) == 1:
        return shown[0][0].told
    return words.chart_range.format(span=_span(shown), n=len(shown))


def _span(shown: Sequence[tuple[JudgementRow, Gain]]) -> str:
    """How many times better, at least and at most."""
    low, high = (f"{three(end(gain[0] for _, gain in shown))}×" for end in (min, max))
    return low if low == high else f"{low} … {high}"


def _canvas(lines: Sequence[_Line], words: Words, phone: bool) -> tuple[Figure, Axes]:
    """Room for the longest label on the left and the longest change on the right; on a phone for neither."""
    line = _PHONE_LINE if phone else _LINE
    height = _TOP + _BOTTOM - line * (lines[-1].y - 0.75)
    left = 0.2 if phone else 0.2 + CHARACTER * max(columns(x.label) for x in lines)
    right = 0.2 if phone else 0.45 + CHARACTER * max(columns(x.beside(words)) for x in lines)
    plot = _PHONE - left - right if phone else _PLOT
    width = left + plot + right
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((left / width, _BOTTOM / height, plot / width, 1 - (_TOP + _BOTTOM) / height))
    axes.set_xscale("log")
    axes.set_ylim(lines[-1].y - 0.75, 0)
    return figure, axes


def _reach(lines: Sequence[_Line]) -> float:
    """How far the scale goes to either side of 1: to the farthest end, within limits."""
    ends = [v for x in lines for j, gain in x.shown for v in (*gain, *(j.promised or ()))]
    farthest = max((abs(math.log(v)) for v in ends if math.isfinite(v) and v > 0), default=0.0)
    return min(_WIDEST, max(_NARROWEST, math.exp(farthest) * 1.06))


def _background(axes: Axes, lines: Sequence[_Line], reach: float, phone: bool) -> None:
    """What counts as no difference, and what the document promises; on a phone below the text."""
    axes.axvline(1, color=FAINT, linewidth=1, zorder=1)
    up = 0.18 if phone else 0.5
    zones = [1 + max(0.0, *(j.zone for j, _ in x.shown)) for x in lines]
    _bars(axes, [x.y for x in lines], [(1 / z, z) for z in zones], (-0.5, up), ZONE, 0)
    promised = [(x.y, p) for x in lines if (p := next((j.promised for j, _ in x.shown if j.promised), None))]
    ends = [_wide_enough(*(min(reach, max(1 / reach, v)) for v in p)) for _, p in promised]
    _bars(axes, [y for y, _ in promised], ends, (-0.3, min(up, 0.3)), PROMISE, 2)


def _bars(
    axes: Axes,
    heights: Sequence[float],
    ends: Sequence[tuple[float, float]],
    reach: tuple[float, float],
    colour: str,
    order: int,
) -> None:
    """A bar at every height, from one end to the other and as far down and up as ``reach`` says."""
    for y, (low, high) in zip(heights, ends, strict=True):
        axes.add_patch(
            Rectangle((low, y + reach[0]), high - low, reach[1] - reach[0], color=colour, linewidth=0, zorder=order)
        )


def _wide_enough(low: float, high: float) -> tuple[float, float]:
    """A promise without width would be an invisible bar."""
    return (low, high) if high / low >= 1.005 else (low / 1.0025, high * 1.0025)


def _marks(axes: Axes, lines: Sequence[_Line], reach: float) -> None:
    every = [(x.y, j, gain) for x in lines for j, gain in x.shown]
    for y, j, gain in every:
        low, high = (min(reach, max(1 / reach, v)) for v in gain[1:])
        if low < high:
            axes.plot([low, high], [y, y], color=j.mark.colour, linewidth=2.2, solid_capstyle="butt", zorder=3)
        if not 1 / reach <= gain[0] <= reach:
            _arrow(axes, y, gain[0] > reach, reach, j.mark.colour)
    _scatter(axes, [one for one in every if 1 / reach <= one[2][0] <= reach])


def _scatter(axes: Axes, shown: Sequence[tuple[float, JudgementRow, Gain]]) -> None:
    """The estimates, each in its verdict's shape and colour."""
    # seaborn warns of a palette without data.
    if not shown:
        return
    frame = pd.DataFrame(
        {
            "gain": [gain[0] for _, _, gain in shown],
            "y": [y for y, _, _ in shown],
            "verdict": [j.verdict.value for _, j, _ in shown],
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


def _arrow(axes: Axes, y: float, right: bool, reach: float, colour: str) -> None:
    """For an estimate outside the picture: an arrow at the edge; the number stands in the text."""
    axes.plot(
        [reach if right else 1 / reach], [y], marker=">" if right else "<", color=colour, markersize=8, clip_on=False
    )


def _labels_beside(axes: Axes, lines: Sequence[_Line], words: Words) -> None:
    """The label on the left; symbol, verdict and change on the right."""
    for x in lines:
        _text(axes, -0.015, x.y, x.label, INK, "right")
        _text(axes, 1.02, x.y, x.mark.symbol, x.mark.colour)
        _text(axes, 1.06, x.y, x.beside(words), INK)


def _labels_above(axes: Axes, lines: Sequence[_Line]) -> None:
    """Symbol and label, and in small what was measured, above the marks."""
    for x in lines:
        _text(axes, 0.0, x.y + 0.36, x.mark.symbol, x.mark.colour)
        _text(axes, 0.05, x.y + 0.36, x.label, INK)
        _text(axes, 1.0, x.y + 0.36, x.text, INK, "right", 8)


def _text(axes: Axes, x: float, y: float, text: str, colour: str, side: str = "left", size: float = 9) -> None:
    """Never parsed as mathematics."""
    axes.text(
        x,
        y,
        text,
        color=colour,
        ha=side,
        va="center",
        fontsize=size,
        transform=axes.get_yaxis_transform(),
        parse_math=False,
        clip_on=False,
    )


def _scale(axes: Axes, reach: float, name: str, words: Words) -> None:
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
        (0.5, "center", name),
        (1, "right", words.chart_better),
    ):
        axes.text(x, below, text, ha=side, va="top", color=INK, transform=axes.transAxes)
    axes.set_ylabel("")
    axes.grid(axis="x")
    open_frame(axes, "left", "right", "top")


def _ticks(reach: float) -> list[float]:
    """1 and a few round factors to either side, far enough apart to be read."""
    factors = next(factors for least, factors in _TICKS if reach > least)
    shown = [f for f in factors if f <= reach]
    return [*(1 / f for f in reversed(shown)), 1, *shown]
