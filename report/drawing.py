"""What every chart shares: its style, its size, and how matplotlib's SVG becomes a part of the page.

Text stays text, colours follow the page, and the same rows give the same bytes.
"""

from __future__ import annotations

import io
import math
import re
import unicodedata
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from html import escape
from itertools import pairwise
from typing import Any

import matplotlib as mpl
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

# Placeholders that matplotlib writes and the page's own colours replace.
_COLOURS = {
    "#010101": "var(--ink)",
    "#020202": "var(--faint)",
    "#030303": "var(--zone)",
    "#040404": "var(--promise)",
    "#050505": "var(--line)",
}
INK, FAINT, ZONE, PROMISE, LINE = _COLOURS
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    # The browser's own font is used; this one comes with matplotlib and measures the texts.
    "font.family": "DejaVu Sans",
    "font.size": 10.0,
    "axes.edgecolor": FAINT,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.minor.bottom": False,
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "grid.color": FAINT,
    "grid.linewidth": 0.3,
}
# matplotlib's comments and what is between its tags, a tag, and a number of more decimals than can be seen.
_COMMENT = re.compile(r"<!--.*?-->|(?<=>)\s+(?=<)", re.DOTALL)
_TAG = re.compile(r"<[^<>]+>")
_LONG = re.compile(r"-?\d+\.\d{3,}(?![\w.])")
# Inches that a character takes, about.
CHARACTER = 0.079


@contextmanager
def style(name: str) -> Iterator[None]:
    """Inside, figures are drawn in the page's style; ``name`` makes the ids of this chart repeatable."""
    with mpl.rc_context({**sns.axes_style("white"), **_STYLE, "svg.hashsalt": name}):
        yield


def open_frame(axes: Axes, *sides: str) -> None:
    """Leave out sides of the frame that tell nothing: the right and the upper one unless others are named."""
    for side in sides or ("right", "top"):
        axes.spines[side].set_visible(False)


def columns(text: str) -> int:
    """How many characters' room a text takes; Chinese ones take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def factors(axes: Axes) -> None:
    """The vertical axis in times better: a few round factors, near to 1 as far as anything happens there."""
    low, high = axes.get_ylim()
    low, high = min(low, 1 / 1.1), max(high, 1.1)
    axes.set_ylim(low, high)
    near = MaxNLocator(5, steps=[1, 2, 5, 10]).tick_values(low, high)
    far = LogLocator(10, subs=(1, 2, 5)).tick_values(low, high)
    farthest = LogLocator(10, numticks=6).tick_values(low, high)
    found = next(
        ([v for v in ticks if low <= v <= high] for ticks in (near, far) if _readable(ticks, low, high)),
        [v for v in farthest if low <= v <= high],
    )
    axes.set_yticks(found, [f"{v:.3g}×" for v in found])
    axes.yaxis.set_minor_locator(NullLocator())


def _readable(ticks: Iterable[float], low: float, high: float) -> bool:
    """Whether two or more ticks are in the picture, and none nearer to the next than a twelfth of it."""
    shown = [math.log(v) for v in ticks if low <= v <= high and v > 0]
    return len(shown) > 1 and min(b - a for a, b in pairwise(shown)) > math.log(high / low) / 12


def inline(svg: str, name: str, title: str, description: str) -> str:
    """matplotlib's document as a part of a page: its ids its own, its colours the page's, its numbers in words."""
    body = svg[svg.index("<svg") :]
    box = re.search(r'viewBox="([^"]+)"', body)
    assert box is not None
    inner = _TAG.sub(_short, _COMMENT.sub("", body[body.index(">") + 1 :]))
    inner = re.sub(r'\bid="([^"]+)"', rf'id="_{name}_\1"', inner)
    inner = re.sub(r'(href="#|url\(#)', rf"\g<1>_{name}_", inner)
    for placeholder, colour in _COLOURS.items():
        inner = inner.replace(placeholder, colour)
    width = float(box[1].split()[2])
    return (
        f'<svg class="chart" viewBox="{box[1]}" style="max-width: {width:.0f}pt" role="img" '
        f'aria-labelledby="_{name}_title _{name}_desc" xmlns="http://www.w3.org/2000/svg" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink">\n<title id="_{name}_title">{escape(title)}</title>\n'
        f'<desc id="_{name}_desc">{escape(description)}</desc>{inner}'
    )


def _short(tag: re.Match[str]) -> str:
    """A tag with coordinates to a hundredth of a point, since six decimals would be half of the picture."""
    return _LONG.sub(lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), tag[0])


def svg_of(figure: Figure) -> str:
    """The figure as matplotlib writes it, without what would differ from day to day."""
    out = io.StringIO()
    with warnings.catch_warnings():
        # Text is drawn by the browser, so what matplotlib's own font lacks does not matter.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.savefig(out, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    return out.getvalue()
