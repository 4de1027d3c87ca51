"""PyTorch version against version on one machine: what the newest run of each says of every claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bench.verdict import Verdict
from report.digest import Digest, Reading
from report.escape import clip, plain
from report.history import date_of
from report.marks import MARKS, Mark
from report.numbers import change_of
from report.words import Words

# A verdict that says nothing cannot differ from another.
_SILENT = (Verdict.UNCLEAR, Verdict.NOT_MEASURED)


@dataclass(frozen=True)
class VersionCell:
    """A claim under one version: the verdict, and what decided it, a line per point."""

    mark: Mark
    word: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class VersionRow:
    """A claim under every version; None where it was not tried. ``differs`` when two verdicts that say anything do."""

    claim: str
    differs: bool
    cells: tuple[VersionCell | None, ...]


@dataclass(frozen=True)
class VersionTable:
    """The versions with the date of the run that stands for each, the oldest run first, and a row per claim."""

    versions: tuple[str, ...]
    dates: tuple[str, ...]
    rows: tuple[VersionRow, ...]

    @property
    def differing(self) -> tuple[VersionRow, ...]:
        """The claims that have another verdict under another version."""
        return tuple(row for row in self.rows if row.differs)

    @property
    def alike(self) -> tuple[VersionRow, ...]:
        """The others."""
        return tuple(row for row in self.rows if not row.differs)


def version_table(runs: Sequence[Digest], words: Words) -> VersionTable | None:
    """The newest run of each version on the device of the newest run; None for a single version.

    ``runs`` are one machine's, oldest first. A run whose controls failed stands for its version only if all did.
    """
    newest: dict[str, Digest] = {}
    for run in sorted(runs, key=lambda r: (r.passed, not r.partial)):
        if run.device == runs[-1].device:
            newest[run.environment.torch] = run
    shown = [run for run in runs if newest.get(run.environment.torch) is run]
    if len(shown) < 2:
        return None
    claims = dict.fromkeys(claim for run in shown for claim in run.verdicts)
    return VersionTable(
        versions=tuple(clip(run.environment.torch, 60) for run in shown),
        dates=tuple(plain(date_of(run)) for run in shown),
        rows=tuple(_row(claim, shown, words) for claim in claims),
    )


def _row(claim: str, shown: Sequence[Digest], words: Words) -> VersionRow:
    verdicts = [run.verdicts.get(claim) for run in shown]
    telling = {v for v in verdicts if v is not None and v not in _SILENT}
    return VersionRow(plain(claim), len(telling) > 1, tuple(_cell(claim, run, words) for run in shown))


def _cell(claim: str, run: Digest, words: Words) -> VersionCell | None:
    verdict = run.verdicts.get(claim)
    if verdict is None:
        return None
    mine = [r for r in run.readings if r.key.claim == claim]
    lines = tuple(_line(r, len(mine) > 1, words) for r in mine)
    return VersionCell(MARKS[verdict], words.verdicts[verdict], lines)


def _line(reading: Reading, named: bool, words: Words) -> str:
    interval = reading.interval
    told = change_of(interval, reading.gauge.info(), words).text if interval else clip(reading.told, 120)
    point = reading.key.point.split("/", 1)[-1]
    return plain(f"{point}: {told} {MARKS[reading.verdict].symbol}") if named else plain(told)
