"""The method's own figure: the smallest effect found 95 % of the time, against the seconds a comparison was given."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from bench.power import Power
from report.drawing import FAINT, INK, inline, open_frame, style, svg_of
from report.palette import BLUE, GREEN, VERMILION
from report.words import Words

_LOOKS = (("o", INK), ("s", BLUE), ("D", VERMILION), ("^", GREEN))


def chart(found: Sequence[Power], words: Words) -> str:
    """A line per tool, both scales logarithmic. Empty for nothing."""
    if not found:
        return ""
    frame = pd.DataFrame({"tool": p.tool, "seconds": p.seconds, "percent": p.smallest * 100} for p in found)
    tools = list(dict.fromkeys(p.tool for p in found))
    with style("power"):
        figure = Figure(figsize=(7.0, 3.4))
        axes = figure.add_axes((0.1, 0.16, 0.6, 0.8))
        axes.set_xscale("log")
        axes.set_yscale("log")
        sns.lineplot(
            frame,
            x="seconds",
            y="percent",
            hue="tool",
            style="tool",
            dashes=False,
            palette={tool: _LOOKS[i % len(_LOOKS)][1] for i, tool in enumerate(tools)},
            markers={tool: _LOOKS[i % len(_LOOKS)][0] for i, tool in enumerate(tools)},
            errorbar=None,
            ax=axes,
        )
        axes.set_xlabel(words.power_seconds, color=INK)
        axes.set_ylabel(words.power_smallest, color=INK)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g} s")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g} %")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_minor_formatter(lambda value, _: f"{value:g}" if f"{value:g}"[0] in "25" else "")
        axes.grid(color=FAINT)
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, labelcolor=INK)
        open_frame(axes)
        svg = svg_of(figure)
    return inline(svg, "power", words.power, "; ".join(told(p) for p in found))


def told(p: Power) -> str:
    """``ours, 3.8 s: +4.1 % (n = 40)``."""
    return f"{p.tool}, {p.seconds:.1f} s: +{p.smallest * 100:.1f} % (n = {p.n})"
