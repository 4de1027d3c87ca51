"""What changed against an earlier run, for who measures in a pull request: ``pytest --benchmark --baseline RUN``."""

from __future__ import annotations

from pathlib import Path

from bench import compare_lines
from bench.claims import Claims
from bench.compare import IncomparableError, compare
from bench.results import Run, UnreadableRunError, read_run

NEWEST = "newest"


class BaselineError(Exception):
    """There is no such run to compare with; the message says what would be right."""


def read_baseline(wanted: str, machine: str, folder: Path) -> Run:
    """The run of that document or folder, or the machine's newest finished one of the whole suite.

    Raises BaselineError.
    """
    if wanted == NEWEST:
        return _newest(machine, folder)
    path = Path(wanted)
    try:
        return read_run(path / "run.json" if path.is_dir() else path)
    except UnreadableRunError as error:
        raise BaselineError(str(error)) from error


def _newest(machine: str, folder: Path) -> Run:
    for path in sorted((folder / machine).glob("*/run.json"), reverse=True):
        try:
            run = read_run(path)
        except UnreadableRunError:
            continue
        if run.finished is not None and not run.partial:
            return run
    raise BaselineError(f"no finished run of the whole suite under {folder / machine}; name one")


def changes(base: Run, run: Run, claims: Claims) -> list[str]:
    """What differs and what changed, a line each; one line with the reason where the two cannot be compared."""
    try:
        told = list(compare_lines.lines(compare(base, run, claims)))
    except IncomparableError as error:
        told = [f"{run.id} cannot be compared with {base.id}: {error}"]
    # The baseline may be somebody else's file, and a terminal obeys what it prints.
    return ["".join(c if c.isprintable() else " " for c in line) for line in told]
