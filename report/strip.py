"""A small picture beside a judgement: every replicate as a dot, the interval as a line, the zone as a band."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT, MARGIN = 220.0, 22.0, 8.0
# How far to either side of no difference the scale goes at least, in the values' own scale.
NARROWEST = 1.5
MANY = 60


@dataclass(frozen=True)
class Strip:
    """What is drawn: values on a scale where 0 is no difference (gains in logs), their interval, half the zone."""

    values: tuple[float, ...]
    low: float
    high: float
    zone: float
    colour: str
    label: str


def svg(strip: Strip) -> str:
    """The picture as inline SVG whose label carries the numbers; empty when there is nothing finite to draw."""
    values = [v for v in strip.values if math.isfinite(v)][:MANY]
    if not values or not math.isfinite(strip.low) or not math.isfinite(strip.high):
        return ""
    reach = max([NARROWEST * strip.zone, *(abs(v) for v in (*values, strip.low, strip.high))]) or 1.0

    def x(value: float) -> str:
        return f"{MARGIN + (WIDTH - 2 * MARGIN) * (value / reach + 1) / 2:.1f}"

    stroke = f'style="stroke: {strip.colour}; stroke-width: 3"'
    zone = float(x(min(strip.zone, reach))) - float(x(-min(strip.zone, reach)))
    return "".join(
        [
            f'<svg class="strip" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}" role="img" aria-label="{escape(strip.label)}">',
            f'<rect x="{x(-min(strip.zone, reach))}" y="1" width="{zone:.1f}" height="20"/>',
            f'<line x1="{x(0)}" x2="{x(0)}" y1="1" y2="21"/>',
            f'<line x1="{x(strip.low)}" x2="{x(strip.high)}" y1="16" y2="16" {stroke}/>',
            _dots([x(v) for v in values]),
            "</svg>",
        ]
    )


def _dots(places: Sequence[str]) -> str:
    """Every place as a round dot of one path, which takes a quarter of the room of as many circles."""
    return f'<path class="dots" d="{"".join(f"M{x} 8h0" for x in places)}"/>'
