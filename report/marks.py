"""How a verdict looks: a shape, a symbol and a colour, so that none of the three carries it alone."""

from __future__ import annotations

from dataclasses import dataclass

from bench.verdict import Verdict
from report.palette import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION


@dataclass(frozen=True)
class Mark:
    """``symbol`` for text, ``marker`` for matplotlib (the same shape), ``colour`` from the Okabe-Ito palette."""

    symbol: str
    marker: str
    colour: str


MARKS: dict[Verdict, Mark] = {
    Verdict.CONFIRMED: Mark("●", "o", GREEN),
    Verdict.WEAKER: Mark("▲", "^", SKY),
    Verdict.NO_EFFECT: Mark("■", "s", BLUE),
    Verdict.BACKFIRES: Mark("✖", "X", VERMILION),
    Verdict.UNCLEAR: Mark("◆", "D", ORANGE),
    Verdict.NOT_MEASURED: Mark("○", "p", GREY),
    Verdict.BROKEN: Mark("✚", "P", PURPLE),
}
