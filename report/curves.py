"""Curves that results held, such as the accuracy over training: a line per arm, the median over seeds, in its range."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.results import Run, Traces
from report.drawing import FAINT, INK, inline, open_frame, style, svg_of
from report.escape import plain
from report.palette import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION
from report.words import Words

# The page's ink first; a dash pattern tells two arms apart where a colour does not.
_COLOURS = (INK, BLUE, VERMILION, GREEN, ORANGE, SKY, PURPLE)
_DASHES = ((), (4, 1.5), (1, 1), (3, 1, 1, 1), (5, 1, 1, 1, 1, 1), (2, 2), (6, 2))


@dataclass(frozen=True)
class ArmCurve:
    """One arm over its seeds: at each place the median, the lowest and the highest of what was seen."""

    arm: str
    median: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True)
class Curves:
    """All arms of one trace at one point; ``x`` is where they were looked at, ``seeds`` how many runs each line has."""

    id: str
    device: str
    name: str
    x_name: str
    x: tuple[float, ...]
    seeds: int
    arms: tuple[ArmCurve, ...]


def curves(run: Run, words: Words) -> tuple[Curves, ...]:
    """Every trace of the run that has a number to draw."""
    found = [
        Curves(
            id=plain(p.id),
            device=plain(p.device),
            name=plain(name),
            x_name=plain(traces.x_name),
            x=tuple(traces.x),
            seeds=max(map(len, traces.by_arm.values()), default=0),
            arms=_arms(traces, words),
        )
        for p in run.points
        for name, traces in p.traces.items()
    ]
    return tuple(c for c in found if c.x and c.arms)


def _arms(traces: Traces, words: Words) -> tuple[ArmCurve, ...]:
    found = []
    for arm, by_seed in traces.by_arm.items():
        seen = np.array(by_seed, dtype=float)
        # A look at which any seed saw no number has no place on a line.
        if seen.size and np.isfinite(seen).all():
            low, median, high = (tuple(map(float, line)) for line in np.percentile(seen, (0, 50, 100), axis=0))
            found.append(ArmCurve(words.arm_name(arm), median, low, high))
    return tuple(found)


def chart(shown: Curves, name: str, words: Words) -> str:
    """The lines with their ranges as a part of the page; the last value of each is told in its description."""
    with style(name):
        figure = Figure(figsize=(7.4, 3.6))
        axes = figure.add_axes((0.08, 0.14, 0.62, 0.83))
        _draw(axes, shown)
        svg = svg_of(figure)
    told = "; ".join(last_of(arm) for arm in shown.arms)
    return inline(svg, name, words.curves_title.format(id=shown.id, name=shown.name), told)


def last_of(arm: ArmCurve) -> str:
    """An arm's last value in words: the median, and from where to where the seeds lie."""
    return f"{arm.arm}: {arm.median[-1]:.4g} [{arm.low[-1]:.4g}, {arm.high[-1]:.4g}]"


def _draw(axes: Axes, shown: Curves) -> None:
    names = [arm.arm for arm in shown.arms]
    colours = {name: _COLOURS[i % len(_COLOURS)] for i, name in enumerate(names)}
    dashes = {name: _DASHES[i % len(_DASHES)] for i, name in enumerate(names)}
    sns.lineplot(
        _frame(shown.x, shown.arms), x="x", y="y", hue="arm", style="arm", palette=colours, dashes=dashes, ax=axes
    )
    for arm in shown.arms:
        axes.fill_between(shown.x, arm.low, arm.high, color=colours[arm.arm], alpha=0.08, linewidth=0)
    axes.set_xlabel(shown.x_name, color=INK, parse_math=False)
    axes.set_ylabel(shown.name, color=INK, parse_math=False)
    axes.grid(axis="y", color=FAINT)
    legend = axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, handlelength=3.2)
    for text in legend.get_texts():
        text.set_color(INK)
        text.set_parse_math(False)
    open_frame(axes)


def _frame(x: Sequence[float], arms: Sequence[ArmCurve]) -> pd.DataFrame:
    return pd.DataFrame(
        [(arm.arm, at, y) for arm in arms for at, y in zip(x, arm.median, strict=True)], columns=["arm", "x", "y"]
    )
