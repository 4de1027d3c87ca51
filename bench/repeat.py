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

    Raises RepeatError when a run fails to finish, and when one that is there is of other code or another budget.
    """
    check_one_series(finished_runs(folder), commit(ROOT), parse_budget(budget), folder)
    command = [sys.executable, "-m", "pytest", "--benchmark", "--device", "cpu", "--budget", budget]
    while len(done := finished_runs(folder)) < wanted:
        tell(f"run {len(done) + 1} of {wanted}")
        told = subprocess.run([*command, f"--results={folder}"], capture_output=True, text=True, check=False)
        if len(finished_runs(folder)) == len(done):
            raise RepeatError("\n".join(told.stdout.splitlines()[-10:]))
    return done[:wanted]


def check_one_series(runs: Sequence[Run], head: str | None, budget_s: float, folder: Path) -> None:
    """Raise RepeatError unless all runs are of the code at ``head`` and had ``budget_s`` seconds."""
    for run in runs:
        if run.commit != head:
            raise RepeatError(f"{folder}: run {run.id} is of {run.commit}, this code is {head}; name another folder")
        if run.budget_s != budget_s:
            had = f"{run.budget_s:g} s" if run.budget_s is not None else "no budget"
            raise RepeatError(f"{folder}: run {run.id} had {had}, wanted {budget_s:g} s; name another folder")


def finished_runs(folder: Path) -> list[Run]:
    """The finished runs under a folder, oldest first."""
    return [run for path in sorted(folder.rglob("run.json")) if (run := read_run(path)).finished is not None]
