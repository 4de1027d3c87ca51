"""What became of each document's own usage on the installed PyTorch, in rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bench.results import Run, UsageRecord
from bench.usage import State, deprecations, state
from report.escape import clip, plain
from report.words import Words

SYMBOLS: Mapping[State, str] = {State.RUNS: "●", State.DEPRECATED: "▲", State.FAILS: "✖", State.NOT_TRIED: "○"}


@dataclass(frozen=True)
class UsageRow:
    """A claim's usage as one document writes it. ``told`` is the warning, the error or the reason; empty if it runs."""

    claim: str
    where: str
    state: State
    symbol: str
    word: str
    told: str
    modern: str


def usage_rows(run: Run, words: Words) -> tuple[UsageRow, ...]:
    """Every usage that the run tried, in the run's order."""
    return tuple(_row(record, words) for record in run.as_written)


def _row(record: UsageRecord, words: Words) -> UsageRow:
    found = state(record)
    return UsageRow(
        claim=plain(record.claim),
        where=plain(record.where),
        state=found,
        symbol=SYMBOLS[found],
        word=words.states[found],
        told=clip(_told(record, found), 300),
        modern=clip(record.modern, 300),
    )


def _told(record: UsageRecord, found: State) -> str:
    if found is State.NOT_TRIED:
        return record.reason or ""
    if found is State.FAILS:
        return record.outcome
    # A warning that announces no end is told too: what the document shows may be without effect here.
    return next(iter(deprecations(record) or record.warnings), "")
