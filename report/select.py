"""Which runs are reported: the files and folders that were named, or the newest finished run of each machine.

Every run found on the way is kept as a digest, for the history.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from bench.claims import Claims
from bench.results import Machine, Run, UnreadableRunError, read_run
from report.digest import Digest, Fault, does_not_fit, read_digests
from report.facts import when
from report.view import View, look
from report.words import Lang

RUN_FILE = "run.json"


class Dated(Protocol):
    """What a run and its digest have in common."""

    @property
    def id(self) -> str:
        """The run's own name."""

    @property
    def machine(self) -> Machine:
        """Who measured."""

    @property
    def started(self) -> str:
        """When, as the run document writes it."""

    @property
    def finished(self) -> str | None:
        """When it ended; None for a run that was cut."""

    @property
    def partial(self) -> bool:
        """Whether only a selection of the suite was asked for."""


AnyRun = TypeVar("AnyRun", bound=Dated)


@dataclass(frozen=True)
class Selection:
    """The runs to report, judged, newest first; every run that was found; the files left out, with the reason."""

    views: tuple[View, ...]
    left_out: tuple[str, ...]
    found: tuple[Digest, ...] = ()

    @property
    def runs(self) -> tuple[Run, ...]:
        """The runs to report."""
        return tuple(view.run for view in self.views)


def select(arguments: Sequence[Path], default: Path, claims: Claims, lang: Lang = "en") -> Selection:
    """A file, and a folder with a ``run.json``, is that run; any other folder its machines' newest finished runs.

    Without arguments the folder is ``default``. What cannot be read or judged is left out with the reason.
    """
    left_out: list[str] = []
    views: list[View] = []
    found: list[Digest] = []
    for path in arguments or [default]:
        own = path / RUN_FILE
        named = not path.is_dir() or own.is_file()
        digests = _sound([own if path.is_dir() else path] if named else run_files(path), claims, left_out)
        found += digests
        orders = [[digest] for digest in digests] if named else newest_finished(digests)
        views += [view for order in orders if (view := _first_view(order, claims, lang, left_out)) is not None]
    unique = {(view.run.machine.name, view.run.id): view for view in views}
    newest_first = sorted(unique.values(), key=lambda view: age(view.run), reverse=True)
    return Selection(tuple(newest_first), tuple(left_out), tuple(oldest_first(found)))


def run_files(folder: Path) -> list[Path]:
    """The documents under a folder; those that begin with a dot are still being written."""
    return sorted(p for p in folder.rglob("*.json") if not p.name.startswith(".") and p.is_file())


def newest_finished(runs: Iterable[AnyRun]) -> list[list[AnyRun]]:
    """Each machine's finished runs, the newest first; those of the whole suite before those of a selection."""
    found: dict[str, list[AnyRun]] = {}
    finished = (r for r in runs if r.finished is not None)
    for run in sorted(finished, key=lambda r: (not r.partial, age(r)), reverse=True):
        found.setdefault(run.machine.name, []).append(run)
    return list(found.values())


def oldest_first(digests: Iterable[Digest]) -> list[Digest]:
    """Each run once, in the order of time."""
    return sorted({(d.machine.name, d.id): d for d in digests}.values(), key=age)


def age(run: Dated) -> tuple[float, str]:
    """Old to new; a start that is no date counts as the oldest."""
    started = when(run.started)
    return (started.timestamp() if started else float("-inf")), run.id


def _sound(paths: Sequence[Path], claims: Claims, left_out: list[str]) -> list[Digest]:
    """The runs that can be read and judged; the others are added to ``left_out``."""
    found = read_digests(paths, claims)
    left_out += [fault.told for fault in found if isinstance(fault, Fault)]
    return [digest for digest in found if isinstance(digest, Digest)]


def _first_view(order: Iterable[Digest], claims: Claims, lang: Lang, left_out: list[str]) -> View | None:
    """The first of some runs that can be shown whole."""
    for digest in order:
        try:
            return look(read_run(digest.path), claims, lang)
        except UnreadableRunError as error:
            left_out.append(str(error))
        except (LookupError, ValueError, ArithmeticError) as error:
            left_out.append(f"{digest.path}: {does_not_fit(error)}")
    return None
