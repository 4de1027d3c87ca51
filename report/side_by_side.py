"""Several runs beside each other: what each says of every claim, and what beside the hardware differs between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bench.results import Run
from report.escape import clip
from report.rows import ClaimRow
from report.tables import measured_lines
from report.view import View
from report.words import Words


@dataclass(frozen=True)
class Cell:
    """What one run says of a claim; None in the table where it has no pair for it."""

    row: ClaimRow
    lines: tuple[str, ...]


@dataclass(frozen=True)
class SideBySide:
    """One column a run, one row a claim; ``cautions`` name what forbids to read a row as a difference of hardware."""

    runs: tuple[str, ...]
    cautions: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell | None, ...]], ...]


def side_by_side(views: Sequence[View]) -> SideBySide | None:
    """The table of two runs or more; None for fewer."""
    if len(views) < 2:
        return None
    by_run = [{c.id: c for c in view.claims} for view in views]
    ids = dict.fromkeys(i for found in by_run for i in found)
    rows = tuple((i, tuple(_cell(found.get(i)) for found in by_run)) for i in ids)
    return SideBySide(tuple(v.facts.run_line for v in views), tuple(_cautions(views)), rows)


def _cell(row: ClaimRow | None) -> Cell | None:
    return Cell(row, tuple(measured_lines(row))) if row is not None else None


def _cautions(views: Sequence[View]) -> list[str]:
    """Every difference from the first run, with both values, and the runs that may not be read at all."""
    words, first = views[0].words, views[0].run
    found = [words.failed_here.format(run=v.facts.run_line) for v in views if not v.facts.controls.passed]
    for view in views[1:]:
        for label, here, there in differences(first, view.run, words):
            told = words.not_comparable.format(what=label, one=here, other=there, machine=view.run.machine.name)
            found.append(told)
    return found


def differences(one: Run, other: Run, words: Words) -> list[tuple[str, str, str]]:
    """What is not hardware and differs, as (name, one's, the other's)."""
    named, others = _around(one, words), _around(other, words)
    # A package that one of them lacks is said by the pairs that need it.
    return [(name, value, others[name]) for name, value in named.items() if name in others and others[name] != value]


def _around(run: Run, words: Words) -> dict[str, str]:
    """What must be the same for a row to be a difference of hardware. A torch for CUDA goes with the hardware."""
    e = run.environment
    found = {
        "torch": e.torch.split("+")[0],
        "python": e.python,
        "profile": run.profile,
        "seed": str(run.seed),
        "commit": run.commit or "?",
        "flags": ", ".join(f"{k}={v}" for k, v in sorted(e.flags.items())) or "–",
    }
    packages = {clip(name, 40): clip(version.split("+")[0], 40) for name, version in sorted(e.packages.items())}
    return {**packages, **{words.facts[name]: clip(value, 80) for name, value in found.items()}}
