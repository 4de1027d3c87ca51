"""How often each verdict stayed when the whole suite was measured again and again, as the page's method tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bench.stability import Series, Stability, agreement
from bench.verdict import Verdict
from report.numbers import percent
from report.words import Words


@dataclass(frozen=True)
class StayedRow:
    """A claim, or a metric at a point that decides one: what the runs said of it, and how many said the commonest."""

    name: str
    is_claim: bool
    told: str
    stayed: str


@dataclass(frozen=True)
class Stayed:
    """A series of runs in one sentence, and its rows: every claim that was measured, then what else moved."""

    sentence: str
    rows: tuple[StayedRow, ...]


def stayed(series: Series, words: Words) -> Stayed:
    """The series in the page's words."""
    claims = [s for s in series.of("claim", clocked=False) if set(s.verdicts) != {Verdict.NOT_MEASURED}]
    moved = [s for s in series.moved if s.level == "deciding"]
    return Stayed(_sentence(series, claims, words), tuple(_row(s, words) for s in (*claims, *moved)))


def _sentence(series: Series, claims: Sequence[Stability], words: Words) -> str:
    exact = [s for s in series.found if s.exact]
    return words.stayed_line.format(
        runs=series.runs,
        machine=series.machine,
        load=words.stayed_load.format(n=series.load) if series.load else "",
        claims=percent(agreement(claims)),
        deciding=percent(agreement(series.of("deciding", clocked=True))),
        beside=percent(agreement(series.of("beside", clocked=True))),
        differ=sum(s.values_differ for s in exact),
        exact=len(exact),
    )


def _row(s: Stability, words: Words) -> StayedRow:
    counted = Counter(s.verdicts).most_common()
    told = words.comma.join(f"{words.verdicts[verdict]} ×{n}" for verdict, n in counted)
    name = s.name if s.level == "claim" else f"{s.name} {words.metrics.get(s.metric, s.metric)}"
    return StayedRow(name, s.level == "claim", told, f"{counted[0][1]}/{len(s.verdicts)}")
