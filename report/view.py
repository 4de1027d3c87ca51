"""One run as the report sees it: the rows and facts that every output is made from."""

from __future__ import annotations

from dataclasses import dataclass

from bench.claims import Claims
from bench.results import PointRecord, Run
from bench.verdict import ClaimVerdict, Controls, check_controls, judge_run
from report.advice import Advice, advice_of
from report.contradictions import ContradictionRow, contradiction_rows
from report.curves import Curves, curves
from report.document_tables import DocumentTable, document_tables
from report.facts import Facts, facts_of
from report.ladder import Ladder, ladders
from report.rows import ClaimRow, RecordRow, claim_row, record_row
from report.usages import UsageRow, usage_rows
from report.words import Lang, Words, words_of


@dataclass(frozen=True)
class Unmeasurable:
    """Advice that has no arm to measure, and why."""

    id: str
    where: str
    advice: str
    reason: str


@dataclass(frozen=True)
class View:
    """A run, judged and put into words.

    ``claims`` are those the run has a pair for, ``without_pair`` the ids of the others, ``absent`` the points that were
    not measured or broken, ``strays`` the points whose claims the claims file does not know.
    """

    run: Run
    verdicts: tuple[ClaimVerdict, ...]
    controls: Controls
    words: Words
    facts: Facts
    advice: Advice
    claims: tuple[ClaimRow, ...]
    without_pair: tuple[str, ...]
    absent: tuple[RecordRow, ...]
    strays: tuple[RecordRow, ...]
    unmeasurable: tuple[Unmeasurable, ...]
    as_written: tuple[UsageRow, ...]
    contradictions: tuple[ContradictionRow, ...]
    tables: tuple[DocumentTable, ...]
    ladders: tuple[Ladder, ...]
    curves: tuple[Curves, ...]

    @property
    def charted(self) -> tuple[ClaimRow, ...]:
        """The claims with a deciding judgement that is a ratio."""
        return tuple(c for c in self.claims if any(j.gain for j in c.deciding))


def look(run: Run, claims: Claims, lang: Lang = "en") -> View:
    """Judge the run anew and put what it says into words."""
    return _in_words(run, tuple(judge_run(run, claims)), check_controls(run), claims, lang)


def translated(view: View, claims: Claims, lang: Lang) -> View:
    """The same judgements in another language."""
    return _in_words(view.run, view.verdicts, view.controls, claims, lang)


def _in_words(run: Run, found: tuple[ClaimVerdict, ...], controls: Controls, claims: Claims, lang: Lang) -> View:
    words = words_of(lang)
    rows = tuple(claim_row(v, run, words) for v in found if v.records)
    usages = usage_rows(run, words)
    return View(
        run=run,
        verdicts=found,
        controls=controls,
        words=words,
        facts=facts_of(run, rows, controls, words),
        advice=advice_of(rows),
        claims=rows,
        without_pair=tuple(v.claim.id for v in found if not v.records),
        absent=tuple(record_row(p, words) for p in run.points if p.status != "measured"),
        strays=tuple(record_row(p, words) for p in run.points if _is_stray(p, claims)),
        unmeasurable=_unmeasurable(claims, words),
        as_written=usages,
        contradictions=contradiction_rows(claims, rows, usages, words),
        tables=document_tables(found, claims, words),
        ladders=ladders(run, words),
        curves=curves(run, words),
    )


def _is_stray(record: PointRecord, claims: Claims) -> bool:
    return record.role == "pair" and not set(record.claims) & set(claims.by_id())


def _unmeasurable(claims: Claims, words: Words) -> tuple[Unmeasurable, ...]:
    return tuple(
        Unmeasurable(u.id, f"{u.source} {u.section}", words.advice_of(u), words.reason_of(u)) for u in claims.unmeasured
    )
