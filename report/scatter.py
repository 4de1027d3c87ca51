"""The deployment chart: how many times smaller and faster every method makes every model, and what that costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from report.drawing import FAINT, INK, inline, style, svg_of
from report.rows import ClaimRow, JudgementRow
from report.words import Words

TOPIC = "deploy"


@dataclass(frozen=True)
class Dot:
    """A method on a model: gains in size and time, above 1 is better, and the change of accuracy if it was measured."""

    label: str
    smaller: float
    faster: float
    accuracy: str


def dots(claims: Sequence[ClaimRow]) -> list[Dot]:
    """Every arm at every point of the deployment claims that was measured in both size and time."""
    found: dict[tuple[str, str], dict[str, JudgementRow]] = {}
    for claim in claims:
        for j in (*claim.deciding, *claim.beside):
            if claim.topic == TOPIC:
                found.setdefault((j.point, j.arm), {}).setdefault(j.kind, j)
    return [dot for (point, arm), by_kind in found.items() if (dot := _dot(point, arm, by_kind)) is not None]


def _dot(point: str, arm: str, by_kind: dict[str, JudgementRow]) -> Dot | None:
    size, time = by_kind.get("size"), by_kind.get("time")
    if size is None or time is None or size.gain is None or time.gain is None:
        return None
    accuracy = by_kind.get("accuracy")
    told = accuracy.change.text if accuracy is not None and accuracy.change is not None else ""
    return Dot(f"{point.split('/', 1)[-1]}, {arm}", size.gain[0], time.gain[0], told)


def chart(found: Sequence[Dot], words: Words) -> str:
    """Size to the right, speed upwards, a number per dot that the list below it explains. Empty for none."""
    if not found:
        return ""
    with style("deployment"):
        figure = Figure(figsize=(6.4, 4.6))
        axes = figure.add_axes((0.12, 0.13, 0.85, 0.84))
        _draw(axes, found, words)
        svg = svg_of(figure)
    told = "; ".join(
        f"{i}: {d.label}: {d.smaller:.2f}× {words.smaller}, {d.faster:.2f}× {words.quicker} {d.accuracy}"
        for i, d in enumerate(found, 1)
    )
    return inline(svg, "deployment", words.deployment, told)


def _draw(axes: Axes, found: Sequence[Dot], words: Words) -> None:
    frame = pd.DataFrame([vars(d) for d in found])
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.axhline(1, color=FAINT, linewidth=1, zorder=1)
    axes.axvline(1, color=FAINT, linewidth=1, zorder=1)
    sns.scatterplot(frame, x="smaller", y="faster", s=70, color="#0072B2", linewidth=0, ax=axes, zorder=3)
    for i, d in enumerate(found, 1):
        axes.annotate(str(i), (d.smaller, d.faster), xytext=(5, 4), textcoords="offset points", color=INK, fontsize=8)
    axes.set_xlabel(f"× {words.smaller}", color=INK)
    axes.set_ylabel(f"× {words.quicker}", color=INK)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:g}×")
        axis.set_minor_formatter(lambda value, _: "")
    for side in ("right", "top"):
        axes.spines[side].set_visible(False)
