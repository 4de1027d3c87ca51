"""The folder of runs: where a run is written, written whole or not at all, and which one is gone on with."""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from bench.collect import ROOT
from bench.results import Run, UnreadableRunError, read_run, to_json

RESULTS = ROOT / "results"
ENOUGH_BYTES = 16 * 2**20


class StoreError(Exception):
    """The results folder cannot be used; the message says why and what to do."""


def new_id(now: datetime, commit: str | None) -> str:
    """``<date>T<time>-<commit>``, in UTC."""
    return f"{now.astimezone(UTC):%Y%m%dT%H%M%S}-{(commit or 'nogit').removesuffix('-dirty')}"


def path_of(run: Run, folder: Path = RESULTS) -> Path:
    """Where the run belongs: ``results/<machine>/<run>/run.json``."""
    return folder / run.machine.name / run.id / "run.json"


def place(run: Run, folder: Path = RESULTS) -> Path:
    """Where a new run belongs, its folder made; its id gets a number when another run began in the same second."""
    plain = run.id
    for number in itertools.count(2):
        path = path_of(run, folder)
        try:
            path.parent.mkdir(parents=True)
        except FileExistsError:
            run.id = f"{plain}-{number}"
            continue
        except OSError:
            # ``prepare`` tries again, and says why it cannot be.
            return path
        break
    return path


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    """While this is open no other process can write the run. Raises StoreError when another does, or as ``prepare``."""
    prepare(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        _lock(folder, path)
        for half_written in path.parent.glob(".run-*.json"):
            half_written.unlink(missing_ok=True)
        yield
    finally:
        os.close(folder)


def _lock(folder: int, path: Path) -> None:
    # On a file system without locks, whoever resumes a run has to know that it is dead.
    with contextlib.suppress(OSError):
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            told = f"{path} is being written by another run; wait for its end, or leave out --resume"
            raise StoreError(told) from error


def prepare(path: Path) -> None:
    """Make the run's folder and try it, so that a full disk or a read-only folder is said before measuring."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(path.parent).free
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".try-") as probe:
            probe.write(b"x" * 4096)
            probe.flush()
    except OSError as error:
        raise StoreError(
            f"{path.parent} cannot be written to ({error.strerror}); give another folder with --results=DIR"
        ) from error
    if free < ENOUGH_BYTES:
        told = f"{free / 2**20:.0f} MiB free < {ENOUGH_BYTES / 2**20:.0f} MiB wanted"
        raise StoreError(f"{path.parent}: {told}; free some space or give another folder with --results=DIR")


def write(run: Run, path: Path) -> None:
    """Replace the document in one move, so that a reader finds the old one or the new one. Raises StoreError."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".run-", suffix=".json")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(to_json(run))
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise StoreError(f"{path} could not be written ({error.strerror})") from error


def unfinished(machine: str, folder: Path = RESULTS) -> Path | None:
    """The newest run of this machine that was not finished."""
    for path in sorted((folder / machine).glob("*/run.json"), reverse=True):
        try:
            if read_run(path).finished is None:
                return path
        except UnreadableRunError:
            continue
    return None
