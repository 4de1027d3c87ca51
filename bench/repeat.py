"""Measuring the whole suite again and again on one machine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from bench.results import Run, read_run


class RepeatError(Exception):
    """A run of the series did not come to its end; the message has its last lines."""


def measure_again(wanted: int, folder: Path, budget: str, tell: Callable[[str], None]) -> list[Run]:
    """Measure the CPU suite until ``folder`` holds ``wanted`` finished runs; those that it holds already count.

    Raises RepeatError when a run fails to finish.
    """
    command = [sys.executable, "-m", "pytest", "--benchmark", "--device", "cpu", "--budget", budget]
    while len(done := finished_runs(folder)) < wanted:
        tell(f"run {len(done) + 1} of {wanted}")
        told = subprocess.run([*command, f"--results={folder}"], capture_output=True, text=True, check=False)
        if len(finished_runs(folder)) == len(done):
            raise RepeatError("\n".join(told.stdout.splitlines()[-10:]))
    return done[:wanted]


def finished_runs(folder: Path) -> list[Run]:
    """The finished runs under a folder, oldest first."""
    return [run for path in sorted(folder.rglob("run.json")) if (run := read_run(path)).finished is not None]
