"""How a verdict looks: a shape, a symbol and a colour, so that none of the three carries it alone."""

from __future__ import annotations

from dataclasses import dataclass

from bench.verdict import Verdict


@dataclass(frozen=True)
class Mark:
    """``symbol`` for text, ``marker`` for matplotlib (the same shape), ``colour`` from the Okabe-Ito palette."""

    symbol: str
    marker: str
    colour: str


MARKS: dict[Verdict, Mark] = {
    Verdict.CONFIRMED: Mark("●", "o", "#009E73"),
    Verdict.WEAKER: Mark("▲", "^", "#56B4E9"),
    Verdict.NO_EFFECT: Mark("■", "s", "#0072B2"),
    Verdict.BACKFIRES: Mark("✖", "X", "#D55E00"),
    Verdict.UNCLEAR: Mark("◆", "D", "#E69F00"),
    Verdict.NOT_MEASURED: Mark("○", "p", "#999999"),
    Verdict.BROKEN: Mark("✚", "P", "#CC79A7"),
}
