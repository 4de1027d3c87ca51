"""A run whose disk, folder, clock or life is taken from it: what was finished is on disk, and is gone on with."""

from __future__ import annotations

import contextlib
import multiprocessing
import shutil
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from textwrap import dedent

import pytest

from bench import run as run_module
from bench import store
from bench.collect import load_pairs
from bench.launch import Launcher
from bench.measure import Measurement
from bench.plan import Budget, Planned
from bench.results import PointRecord, Run, read_run
from bench.run import Runner, new_run
from bench.store import StoreError
from report.facts import took
from report.words import words_of
from tests.bench.checkout import Checkout
from tests.bench.conftest import HEADER
from tests.faults.conftest import Marked, temporary_folders
from tests.faults.limits import remount
from tests.faults.test_arms import DAEMON

pytestmark = pytest.mark.slow

PAIRS = """
FIELDS = dict(metrics=(outcome,), same=may_differ("nothing", because="it is quick"))
ONE = pair(work, name="one", **FIELDS)
TWO = pair(work, name="two", **FIELDS)
"""

Mount = Callable[..., Path]
Carry = Callable[..., None]


@pytest.fixture
def planned(tmp_path: Path) -> list[Planned]:
    (tmp_path / "topic").mkdir()
    (file := tmp_path / "topic" / "pairs.py").write_text(HEADER + PAIRS)
    return [Planned(declared, None, "cpu") for declared in load_pairs(file)]


@pytest.fixture
def carry_out(launcher: Launcher, planned: list[Planned], monkeypatch: pytest.MonkeyPatch) -> Carry:
    """Carry out the run of a document; ``then`` happens as soon as the first point has landed."""
    monkeypatch.setattr(run_module, "Launcher", lambda: contextlib.nullcontext(launcher))

    def carry(run: Run, path: Path, then: Callable[[], object] = lambda: None) -> None:
        landed: list[str] = []

        def tell(point: Planned, record: PointRecord, after: str) -> None:
            landed.append(record.id)
            if len(landed) == 1:
                then()

        with store.held(path):
            Runner(run, path, Budget.starting_now(None), tell).carry_out(planned)

    return carry


def begin() -> Run:
    return new_run("smoke", 0, "cpu", None, False, [])


def statuses(run: Run) -> dict[str, str]:
    return {p.id: p.status for p in run.points}


WHOLE = {"topic/one": "measured", "topic/two": "measured"}


def is_gone_on_with(path: Path, carry_out: Carry) -> None:
    """The points on disk stay as they are, and the others are measured."""
    before = read_run(path)
    assert statuses(before) == {"topic/one": "measured"}
    assert before.finished is None
    assert [p.name for p in path.parent.iterdir()] == ["run.json"]
    carry_out(read_run(path), path)
    assert statuses(read_run(path)) == WHOLE
    assert read_run(path).points[0] == before.points[0]


def fill(folder: Path) -> Path:
    with (filler := folder / "filler").open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(bytes(4096)):
            pass
    return filler


def test_a_disk_that_fills_up_ends_the_run_with_its_words(tmp_path: Path, mount: Mount, carry_out: Carry) -> None:
    results = mount(tmp_path / "results", "tmpfs", "size=17m")
    path = store.place(run := begin(), results)
    with pytest.raises(StoreError, match=r"run\.json could not be written \(No space left on device\)"):
        carry_out(run, path, then=lambda: fill(results))
    (results / "filler").unlink()
    is_gone_on_with(path, carry_out)


def test_a_folder_that_becomes_read_only_ends_the_run_with_its_words(
    tmp_path: Path, mount: Mount, carry_out: Carry
) -> None:
    results = mount(tmp_path / "results", "bind", "")
    path = store.place(run := begin(), results)
    with pytest.raises(StoreError, match=r"run\.json could not be written \(Read-only file system\)"):
        carry_out(run, path, then=lambda: remount(results, "bind,ro"))
    with (
        pytest.raises(
            StoreError, match=r"cannot be written to \(Read-only file system\); give another folder with --results=DIR"
        ),
        store.held(path),
    ):
        pass
    assert store.place(begin(), results).name == "run.json"
    remount(results, "bind,rw")
    is_gone_on_with(path, carry_out)


def test_a_folder_that_vanishes_is_made_again(tmp_path: Path, carry_out: Carry) -> None:
    path = store.place(run := begin(), tmp_path / "results")
    carry_out(run, path, then=lambda: shutil.rmtree(tmp_path / "results"))
    assert statuses(read_run(path)) == WHOLE


def test_a_file_in_the_folders_place_ends_the_run_with_its_words(tmp_path: Path, carry_out: Carry) -> None:
    path = store.place(run := begin(), results := tmp_path / "results")

    def replace_folder() -> None:
        shutil.rmtree(results)
        results.write_text("")

    with pytest.raises(StoreError, match=r"could not be written \(Not a directory\)"):
        carry_out(run, path, then=replace_folder)


def test_a_record_that_cannot_be_written_down_costs_its_own_point_only(
    tmp_path: Path, carry_out: Carry, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Measurement.record

    def odd(self: Measurement) -> PointRecord:
        record = real(self)
        record.notes = ["\udcff"] if record.id == "topic/one" else []
        return record

    monkeypatch.setattr(Measurement, "record", odd)
    path = store.place(run := begin(), tmp_path)
    carry_out(run, path)
    assert statuses(read_run(path)) == {"topic/one": "broken", "topic/two": "measured"}
    assert "it cannot be written down" in (read_run(path).points[0].reason or "")


class BackwardsClock(datetime):
    """Every look at it is an hour before the one before."""

    looks = 0

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        cls.looks += 1
        return datetime(2026, 1, 2, tzinfo=UTC) - timedelta(hours=cls.looks)


def test_a_clock_that_steps_back_harms_nothing(
    tmp_path: Path, carry_out: Carry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "datetime", BackwardsClock)
    path = store.place(run := begin(), tmp_path)
    carry_out(run, path)
    found = read_run(path)
    assert statuses(found) == WHOLE
    assert found.finished is not None
    assert found.finished < found.started
    assert all(p.seconds > 0 for p in found.points)
    assert "from start to end" not in took(found, words_of("en"))
    assert "-" not in took(found, words_of("en"))


def test_runs_that_begin_in_the_same_second_get_a_place_each(tmp_path: Path) -> None:
    first = begin()
    others = [first.model_copy(deep=True) for _ in range(2)]
    places = [store.place(run, tmp_path) for run in (first, *others)]
    assert [p.parent.name for p in places] == [first.id, f"{first.id}-2", f"{first.id}-3"]
    assert [run.id for run in others] == [f"{first.id}-2", f"{first.id}-3"]


def slow_run(file: Path, path: Path) -> None:
    """What a process of its own does until it is killed: a quick point, then one that takes for ever."""
    planned = [Planned(declared, None, "cpu") for declared in load_pairs(file)]
    with store.held(path):
        Runner(begin(), path, Budget.starting_now(None), lambda *_: None).carry_out(planned)


@pytest.fixture
def killed_later(tmp_path: Path) -> Iterator[tuple[multiprocessing.process.BaseProcess, Path]]:
    """A run in a process of its own that has one point on disk, and is at work on the next with a daemon beside it."""
    (tmp_path / "topic").mkdir()
    (note := tmp_path / "note").touch()
    slow = f"""
    def slow(x):
        daemon()
        open({str(note)!r}, "w").write("begun")
        clock.sleep(60 * os.path.exists({str(note)!r}))
        return work(x)
    FIELDS = dict(metrics=(outcome,), same=may_differ("nothing", because="it is quick"), timeout=60.0)
    ONE = pair(work, name="one", **FIELDS)
    TWO = pair(slow, name="two", **FIELDS)
    """
    (file := tmp_path / "topic" / "slow.py").write_text(HEADER + DAEMON + dedent(slow))
    path = tmp_path / "results" / "box" / "one" / "run.json"
    process = multiprocessing.get_context("fork").Process(target=slow_run, args=(file, path))
    process.start()
    deadline = time.monotonic() + 60
    while not note.read_text() and process.is_alive() and time.monotonic() < deadline:
        time.sleep(0.05)
    yield process, path
    process.kill()
    process.join()


def test_kill_9_of_the_run_leaves_nothing_but_what_was_finished(
    killed_later: tuple[multiprocessing.process.BaseProcess, Path], marked: Marked
) -> None:
    process, path = killed_later
    folders = temporary_folders()
    with pytest.raises(StoreError, match=r"run\.json is being written by another run"), store.held(path):
        pass
    family = len(marked())
    process.kill()
    process.join()
    (path.parent / ".run-half.json").write_text("{")
    deadline = time.monotonic() + 10
    while len(marked()) > 1 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(marked()) <= 1 < family
    while len(temporary_folders()) >= len(folders) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(temporary_folders() & folders) == len(folders) - 1
    found = read_run(path)
    assert statuses(found) == {"topic/one": "measured"}
    assert found.finished is None
    with store.held(path):
        assert [p.name for p in path.parent.iterdir()] == ["run.json"]


FILLS_THE_DISK = """
import os
import torch
from bench import *

def fills(setup):
    with open({filler!r}, "wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            pass
    return torch.zeros(2)

def arm(x):
    return lambda: x + 1

PAIR = Pair(claims=("one",), inputs=fills, anti_pattern=arm, recommended=arm, same=exactly, metrics=(time,))
"""


def test_the_command_tells_a_full_disk_in_one_line_without_git_and_nvidia_smi(
    tmp_path: Path, mount: Mount, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = mount(tmp_path / "results", "tmpfs", "size=17m")
    (tmp_path / "checkout").mkdir()
    checkout = Checkout(tmp_path / "checkout")
    checkout.write("suites/tensors/fills.py", FILLS_THE_DISK.format(filler=str(results / "filler")))
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    code, told = checkout.run("pytest", "--benchmark", "--profile", "smoke", f"--results={results}")
    assert code != 0
    assert "Traceback" not in told
    (path,) = results.glob("*/*/run.json")
    assert f"ERROR: {path} could not be written (No space left on device)" in told
    assert f"go on with: pytest --benchmark --profile smoke --results={results} --resume={path}" in told
    found = read_run(path)
    assert found.id.endswith("-nogit")
    assert {(p.role, p.status) for p in found.points} == {("control", "measured")}
