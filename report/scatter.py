"""Two gains of one thing against each other: a deployed model's size and speed, a precision's memory and speed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bench.pair import RECOMMENDED
from report.drawing import FAINT, INK, inline, open_frame, style, svg_of
from report.palette import BLUE
from report.rows import ClaimRow, JudgementRow
from report.words import Words

DEPLOYMENT, PRECISION = "deploy", "precision"


@dataclass(frozen=True)
class Dot:
    """Gains above 1 are better: ``smaller`` to the right, ``faster`` upwards; the accuracy's change if measured."""

    label: str
    smaller: float
    faster: float
    accuracy: str = ""


def deployment_dots(claims: Sequence[ClaimRow]) -> list[Dot]:
    """Every arm at every point of the deployment claims that was measured in both size and time."""
    found: dict[tuple[str, str], dict[str, JudgementRow]] = {}
    for claim in claims:
        for j in (*claim.deciding, *claim.beside):
            if claim.topic == DEPLOYMENT:
                found.setdefault((j.point, j.arm), {}).setdefault(j.kind, j)
    labelled = {f"{point.split('/', 1)[-1]}, {arm}": by_kind for (point, arm), by_kind in found.items()}
    return _dots(labelled, "size")


def precision_dots(claims: Sequence[ClaimRow], words: Words) -> list[Dot]:
    """Every model that mixed precision was measured on, in both memory and time, on a GPU.

    Its memory and its time are those of two pairs, which train the same models.
    """
    found: dict[str, dict[str, JudgementRow]] = {}
    for claim in claims:
        for j in (*claim.deciding, *claim.beside):
            if claim.topic == PRECISION and j.device == "cuda" and j.where and j.arm == words.arm_name(RECOMMENDED):
                found.setdefault(j.where, {}).setdefault(j.kind, j)
    return _dots(found, "peak_memory")


def _dots(found: dict[str, dict[str, JudgementRow]], across: str) -> list[Dot]:
    dots = (_dot(label, by_kind.get(across), by_kind) for label, by_kind in found.items())
    return [dot for dot in dots if dot is not None]


def _dot(label: str, less: JudgementRow | None, by_kind: dict[str, JudgementRow]) -> Dot | None:
    time = by_kind.get("time")
    if less is None or time is None or less.gain is None or time.gain is None:
        return None
    if not all(math.isfinite(v) and v > 0 for v in (less.gain[0], time.gain[0])):
        return None
    accuracy = by_kind.get("accuracy")
    told = accuracy.change.text if accuracy is not None and accuracy.change is not None else ""
    return Dot(label, less.gain[0], time.gain[0], told)


def chart(found: Sequence[Dot], name: str, title: str, across: str, words: Words) -> str:
    """``across`` to the right, speed upwards, a number per dot that the list below it explains. Empty for none."""
    if not found:
        return ""
    with style(name):
        figure = Figure(figsize=(6.4, 4.6))
        axes = figure.add_axes((0.12, 0.13, 0.85, 0.84))
        _draw(axes, found, across, words)
        svg = svg_of(figure)
    told = "; ".join(
        f"{i}: {d.label}: {d.smaller:.2f}× {across}, {d.faster:.2f}× {words.quicker} {d.accuracy}".strip()
        for i, d in enumerate(found, 1)
    )
    return inline(svg, name, title, told)


def _draw(axes: Axes, found: Sequence[Dot], across: str, words: Words) -> None:
    frame = pd.DataFrame([vars(d) for d in found])
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.axhline(1, color=FAINT, linewidth=1, zorder=1)
    axes.axvline(1, color=FAINT, linewidth=1, zorder=1)
    sns.scatterplot(frame, x="smaller", y="faster", s=70, color=BLUE, linewidth=0, ax=axes, zorder=3)
    for i, d in enumerate(found, 1):
        axes.annotate(str(i), (d.smaller, d.faster), xytext=(5, 4), textcoords="offset points", color=INK, fontsize=8)
    axes.set_xlabel(f"× {across}", color=INK)
    axes.set_ylabel(f"× {words.quicker}", color=INK)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:g}×")
        axis.set_minor_formatter(lambda value, _: "")
    open_frame(axes)
