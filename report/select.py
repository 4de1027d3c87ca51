"""Which runs are reported: the files and folders that were named, or the newest finished run of each machine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.claims import Claims
from bench.results import Run, UnreadableRunError, read_run
from report.facts import when
from report.view import look

RUN_FILE = "run.json"


@dataclass(frozen=True)
class Selection:
    """The runs to report, newest first, and the files that were left out with the reason."""

    runs: tuple[Run, ...]
    left_out: tuple[str, ...]


def select(arguments: Sequence[Path], default: Path, claims: Claims) -> Selection:
    """A file, and a folder with a ``run.json``, is that run; any other folder its machines' newest finished runs.

    Without arguments the folder is ``default``. What cannot be read or judged is left out with the reason.
    """
    left_out: list[str] = []
    chosen: list[Run] = []
    for path in arguments or [default]:
        own = path / RUN_FILE
        if path.is_dir() and not own.is_file():
            chosen += newest_finished(_sound(run_files(path), claims, left_out))
        else:
            chosen += _sound([own if path.is_dir() else path], claims, left_out)
    unique = {(run.machine.name, run.id): run for run in chosen}
    return Selection(tuple(sorted(unique.values(), key=_age, reverse=True)), tuple(left_out))


def run_files(folder: Path) -> list[Path]:
    """The documents under a folder; those that begin with a dot are still being written."""
    return sorted(p for p in folder.rglob("*.json") if not p.name.startswith(".") and p.is_file())


def newest_finished(runs: Iterable[Run]) -> list[Run]:
    """The newest finished run of each machine; one of the whole suite before one of a selection."""
    newest: dict[str, Run] = {}
    for run in sorted((r for r in runs if r.finished is not None), key=lambda r: (not r.partial, _age(r))):
        newest[run.machine.name] = run
    return list(newest.values())


def fault_of(run: Run, claims: Claims) -> str | None:
    """Why a document of the right form cannot be judged, such as a replicate that lacks an arm."""
    try:
        look(run, claims)
    except (LookupError, ValueError, ArithmeticError) as error:
        return f"its records do not fit together ({type(error).__name__}: {error})"
    return None


def _sound(paths: Iterable[Path], claims: Claims, left_out: list[str]) -> list[Run]:
    """The runs that can be read and judged; the others are added to ``left_out``."""
    runs = []
    for path in paths:
        try:
            run = read_run(path)
        except UnreadableRunError as error:
            left_out.append(str(error))
            continue
        fault = fault_of(run, claims)
        if fault is None:
            runs.append(run)
        else:
            left_out.append(f"{path}: {fault}")
    return runs


def _age(run: Run) -> tuple[float, str]:
    """Old to new; a start that is no date counts as the oldest."""
    started = when(run.started)
    return (started.timestamp() if started else float("-inf")), run.id
