"""The documents' own comparison tables, with what was measured beside what they promise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bench.claims import Claims, Table, TableRow
from bench.pair import RECOMMENDED
from bench.results import PointRecord
from bench.verdict import ClaimVerdict, Judgement
from report.escape import plain
from report.marks import MARKS
from report.numbers import change_of, level
from report.words import Words


@dataclass(frozen=True)
class Cell:
    """What the document promises for one metric of a row, and a line for every point measured."""

    promised: str
    measured: tuple[str, ...]


@dataclass(frozen=True)
class Line:
    """A row: its name, the document's own words on it, and a cell per metric; ``reason`` where none is measured."""

    label: str
    said: str
    claim: str
    cells: tuple[Cell, ...]
    reason: str


@dataclass(frozen=True)
class DocumentTable:
    """A table with the names of its metrics; ``said`` tells whether any row has words of the document."""

    id: str
    where: str
    title: str
    metrics: tuple[str, ...]
    rows: tuple[Line, ...]

    @property
    def promises(self) -> tuple[bool, ...]:
        """For each metric whether the document promises anything of it."""
        return tuple(any(r.cells[i].promised for r in self.rows) for i in range(len(self.metrics)))

    @property
    def said(self) -> bool:
        """Whether any row has words of the document."""
        return any(r.said for r in self.rows)


def document_tables(verdicts: Sequence[ClaimVerdict], claims: Claims, words: Words) -> tuple[DocumentTable, ...]:
    """Every table of the claims file, in its order, filled from what the run's verdicts rest on."""
    return tuple(_table(t, verdicts, claims, words) for t in claims.table)


def _table(table: Table, verdicts: Sequence[ClaimVerdict], claims: Claims, words: Words) -> DocumentTable:
    return DocumentTable(
        id=table.id,
        where=f"{table.source} {table.section}",
        title=words.title_of(table),
        metrics=tuple(words.metric_name(kind, kind.replace("_", " ")) for kind in table.metrics),
        rows=tuple(_line(row, table, verdicts, claims, words) for row in table.row),
    )


def _line(row: TableRow, table: Table, verdicts: Sequence[ClaimVerdict], claims: Claims, words: Words) -> Line:
    found = next((v for v in verdicts if v.claim.id == row.claim), None)
    judged = (
        [j for j in (*found.deciding, *found.others) if _is_shown(j.point, row) and j.arm == row.arm] if found else []
    )
    # Two pairs may have the same point, so that a point's name is not enough.
    several = len({j.point.pair for j in judged}) > 1
    cells = []
    for kind in table.metrics:
        promise = found.claim.promise(kind) if found and row.arm == RECOMMENDED else None
        promised = words.promise_of(promise) if promise else ""
        cells.append(
            Cell(promised, tuple(_told(j, several, words) for j in judged if j.metric.kind == kind and j.change))
        )
    reasons = [r.reason for r in found.records if _is_shown(r, row)] if found else []
    reason = "" if any(c.measured for c in cells) else _why_not(row, claims, reasons, words)
    return Line(words.label_of(row), words.said_of(row), row.claim, tuple(cells), reason)


def _is_shown(record: PointRecord, row: TableRow) -> bool:
    return not row.pairs or record.pair in row.pairs


def _told(j: Judgement, name_pair: bool, words: Words) -> str:
    """``batch=4: ● 2.1× faster [2.0, 2.2] (8.1 ms → 3.9 ms)``."""
    assert j.change is not None
    told = f"{MARKS[j.verdict].symbol} {change_of(j.change, j.metric, words).text}"
    if j.levels is not None:
        before, after = (level(value, j.metric.unit) for value in j.levels)
        told += f" ({before} → {after})"
    where = [j.point.pair.rsplit("/", 1)[-1]] if name_pair else []
    where += [str(j.point.point.value)] if j.point.point else []
    return f"{plain(' '.join(where))}: {told}" if where else told


def _why_not(row: TableRow, claims: Claims, reasons: Sequence[str | None], words: Words) -> str:
    unmeasured = next((u for u in claims.unmeasured if u.id == row.claim), None)
    if unmeasured is not None:
        return words.reason_of(unmeasured)
    return plain(next((r for r in reasons if r), words.contradiction_unmeasured))
