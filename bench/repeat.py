"""Measuring the whole suite again and again on one machine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.collect import ROOT
from bench.environment import commit
from bench.plan import parse_budget
from bench.results import Run, read_run


class RepeatError(Exception):
    """A run of the series did not come to its end, or other runs lie in its folder; the message says which."""


def measure_again(wanted: int, folder: Path, budget: str, tell: Callable[[str], None]) -> list[Run]:
    """Measure the CPU suite until ``folder`` holds ``wanted`` finished runs; those that it holds already count.

    Raises RepeatError when a run fails to finish, and when those that are there are not of one code and budget: of this
    code and ``budget`` if more are wanted.
    """
    there = finished_runs(folder)
    if len(there) < wanted:
        check_one_series(there, commit(ROOT), parse_budget(budget), folder)
    elif there:
        check_one_series(there, there[0].commit, there[0].budget_s, folder)
    command = [sys.executable, "-m", "pytest", "--benchmark", "--device", "cpu", "--budget", budget]
    while len(done := finished_runs(folder)) < wanted:
        tell(f"run {len(done) + 1} of {wanted}")
        told = subprocess.run([*command, f"--results={folder}"], capture_output=True, text=True, check=False)
        if len(finished_runs(folder)) == len(done):
            raise RepeatError("\n".join(told.stdout.splitlines()[-10:]))
    return done[:wanted]


def check_one_series(runs: Sequence[Run], head: str | None, budget_s: float | None, folder: Path) -> None:
    """Raise RepeatError unless all runs are of the code at ``head`` and had ``budget_s`` seconds."""
    for run in runs:
        for what, had, wanted in (("code", run.commit, head), ("budget", _seconds(run.budget_s), _seconds(budget_s))):
            if had != wanted:
                raise RepeatError(f"{folder}: {what} of run {run.id} {had} ≠ {wanted} wanted; name another folder")


def _seconds(budget_s: float | None) -> str:
    return "without end" if budget_s is None else f"{budget_s:g} s"


def finished_runs(folder: Path) -> list[Run]:
    """The finished runs under a folder, oldest first."""
    return [run for path in sorted(folder.rglob("run.json")) if (run := read_run(path)).finished is not None]
