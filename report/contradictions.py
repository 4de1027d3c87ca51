"""Where the documents disagree with themselves, with what the run measured of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bench.claims import Claims, Contradiction
from report.rows import ClaimRow, JudgementRow
from report.usages import UsageRow
from report.words import Words


@dataclass(frozen=True)
class ContradictionRow:
    """Two pieces of advice that cannot both be followed, the claims, and the measurements and usages that show it."""

    id: str
    text: str
    claims: tuple[str, ...]
    shown: tuple[JudgementRow, ...]
    usages: tuple[UsageRow, ...]


def contradiction_rows(
    claims: Claims, rows: Sequence[ClaimRow], usages: Sequence[UsageRow], words: Words
) -> tuple[ContradictionRow, ...]:
    """Every contradiction of the claims file, in its order."""
    return tuple(_row(c, rows, usages, words) for c in claims.contradiction)


def _row(found: Contradiction, rows: Sequence[ClaimRow], usages: Sequence[UsageRow], words: Words) -> ContradictionRow:
    judged = [j for row in rows for j in (*row.deciding, *row.beside)]
    shown = {(j.point, j.arm, j.metric): j for j in judged if j.change and is_shown_by(j.point, found.shown_by)}
    as_written = tuple(u for u in usages if found.shown_by_usage and u.claim in found.claims)
    return ContradictionRow(found.id, words.text_of(found), found.claims, tuple(shown.values()), as_written)


def is_shown_by(point: str, wanted: Sequence[str]) -> bool:
    """Whether ``point`` is one of ``wanted``, which are ids of points, or of pairs for all their points."""
    return point in wanted or point.split("[", 1)[0] in wanted
