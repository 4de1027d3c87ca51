"""The ladder: what each practice adds to all before it, and what the whole loses without it, in rows and as a chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.ladder import Rung, lacking, rungs, without
from bench.pair import RECOMMENDED
from bench.results import MetricInfo, PointRecord, Run
from bench.verdict import Judgement
from report.drawing import CHARACTER, FAINT, INK, columns, inline, open_frame, style, svg_of
from report.escape import plain
from report.facts import confidence
from report.marks import MARKS, Mark
from report.numbers import change_of, gain_of
from report.words import Words

_PLOT, _LINE, _TOP, _BOTTOM = 4.4, 0.42, 0.2, 0.7
WITH, WITHOUT = "with_", "without_"


@dataclass(frozen=True)
class LadderStep:
    """One practice: its gain over the step before, the gain of all so far, and of the whole over the whole without it.

    ``gain`` is how many times better than the anti-pattern with its interval; None where a ratio has no number.
    """

    practice: str
    step: str
    step_mark: Mark
    step_word: str
    total: str
    gain: tuple[float, float, float] | None
    without: str
    without_mark: Mark | None


@dataclass(frozen=True)
class Ladder:
    """A ladder measured at one point in one metric."""

    id: str
    device: str
    metric: str
    steps: tuple[LadderStep, ...]


def ladders(run: Run, words: Words) -> tuple[Ladder, ...]:
    """Every ladder of the run, in every metric that is compared as a ratio but the first step's."""
    measured = [p for p in run.points if p.ladder and p.status == "measured"]
    return tuple(
        Ladder(plain(p.id), plain(p.device), words.name_of(m), tuple(_steps(p, m, words)))
        for p in measured
        for m in p.metrics
        if m.comparison == "ratio" and m.kind != "first_step"
    )


def _steps(record: PointRecord, metric: MetricInfo, words: Words) -> list[LadderStep]:
    lost = dict(zip(lacking(record.arms, record.ladder), without(record, metric), strict=True))
    named = _practices(record)
    # The whole less its last practice is the rung below the top.
    return [
        _step(r, named[r.arm], r.step if r.arm == RECOMMENDED else lost.get(f"{WITHOUT}{named[r.arm]}"), metric, words)
        for r in rungs(record, metric)
    ]


def _practices(record: PointRecord) -> dict[str, str]:
    """Each rung's practice by its arm."""
    named = {arm: arm.removeprefix(WITH) for arm in record.ladder if arm != RECOMMENDED}
    return {**named, RECOMMENDED: record.ladder_top or RECOMMENDED}


def _step(r: Rung, practice: str, lost: Judgement | None, metric: MetricInfo, words: Words) -> LadderStep:
    return LadderStep(
        practice=words.arm_name(practice),
        step=_told(r.step, metric, words),
        step_mark=MARKS[r.step.verdict],
        step_word=words.verdicts[r.step.verdict],
        total=_told(r.total, metric, words),
        gain=gain_of(r.total.change, metric) if r.total.change else None,
        without=_told(lost, metric, words) if lost else "–",
        without_mark=MARKS[lost.verdict] if lost else None,
    )


def _told(j: Judgement, metric: MetricInfo, words: Words) -> str:
    return change_of(j.change, metric, words).text if j.change else j.why


def chart(ladder: Ladder, name: str, words: Words) -> str:
    """How far each practice takes the workload from the anti-pattern, from the top down. Empty without a number."""
    steps = [s for s in ladder.steps if s.gain is not None]
    if not steps:
        return ""
    with style(name):
        figure, axes = _canvas(steps)
        _draw(axes, steps)
        _labels(axes, steps, words)
        svg = svg_of(figure)
    told = " ".join(f"{s.practice}: {s.step}; {words.ladder_so_far} {s.total}." for s in steps)
    title = words.ladder_title.format(id=ladder.id, metric=ladder.metric, confidence=confidence())
    return inline(svg, name, title, told)


def _canvas(steps: Sequence[LadderStep]) -> tuple[Figure, Axes]:
    height = _TOP + _BOTTOM + _LINE * (len(steps) + 1)
    left = 0.3 + CHARACTER * max(20, *(columns(s.practice) + 2 for s in steps))
    right = 0.5 + CHARACTER * max(columns(s.step) + 2 for s in steps)
    width = left + _PLOT + right
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((left / width, _BOTTOM / height, _PLOT / width, 1 - (_TOP + _BOTTOM) / height))
    axes.set_ylim(len(steps) + 0.6, -0.6)
    return figure, axes


def _draw(axes: Axes, steps: Sequence[LadderStep]) -> None:
    """A staircase: from the anti-pattern's 1 at the top to everything at the bottom, with each total's interval."""
    gains = [1.0, *(s.gain[0] for s in steps if s.gain)]
    axes.axvline(1, color=FAINT, linewidth=1, zorder=1)
    axes.step(gains, range(len(gains)), where="pre", color=FAINT, linewidth=1.4, zorder=2)
    for y, s in enumerate(steps, 1):
        assert s.gain is not None
        axes.plot(s.gain[1:], [y, y], color=s.step_mark.colour, linewidth=2.2, solid_capstyle="butt", zorder=3)
    frame = pd.DataFrame(
        {"gain": gains, "y": range(len(gains)), "kind": ["start", *(s.step_mark.symbol for s in steps)]}
    )
    marks = {"start": ("o", INK), **{s.step_mark.symbol: (s.step_mark.marker, s.step_mark.colour) for s in steps}}
    sns.scatterplot(
        frame,
        x="gain",
        y="y",
        hue="kind",
        style="kind",
        palette={k: colour for k, (_, colour) in marks.items()},
        markers={k: marker for k, (marker, _) in marks.items()},
        s=52,
        linewidth=0,
        legend=False,
        zorder=4,
        ax=axes,
    )


def _labels(axes: Axes, steps: Sequence[LadderStep], words: Words) -> None:
    across = axes.get_yaxis_transform()
    names = [words.ladder_start, *(f"+ {s.practice}" for s in steps)]
    changes = ["", *(f"{s.step_mark.symbol} {s.step}" for s in steps)]
    for y, (name, change) in enumerate(zip(names, changes, strict=True)):
        for x, text, side in ((-0.03, name, "right"), (1.03, change, "left")):
            axes.text(x, y, text, ha=side, va="center", color=INK, transform=across, parse_math=False, fontsize=9)
    axes.set_yticks([])
    axes.set_ylabel("")
    axes.set_xlabel(words.ladder_axis, color=INK)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}×")
    axes.grid(axis="x")
    open_frame(axes, "left", "right", "top")
