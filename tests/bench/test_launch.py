import sys
from pathlib import Path

import psutil
import pytest

from bench.launch import Launcher, Server
from tests.bench.conftest import HEADER


def children() -> set[int]:
    return {child.pid for child in psutil.Process().children()}


def parent_of_a_nursery(launcher: Launcher, file: Path, server: int) -> int:
    nursery = launcher.nursery(file, (server, frozenset()))
    try:
        return psutil.Process(nursery._process.pid).ppid()
    finally:
        nursery.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (found := tmp_path / "pairs.py").write_text(HEADER + "PAIR = pair(work)\n")
    return found


def test_servers_started_side_by_side_are_those_that_fork_later(file: Path) -> None:
    before = children()
    with Launcher() as launcher:
        launcher.start_servers(2)
        started = children() - before
        assert len(started) == 2
        launcher.start_servers(2)
        assert {parent_of_a_nursery(launcher, file, server) for server in range(2)} == started
    assert not any(psutil.pid_exists(pid) for pid in started)


def test_a_server_that_could_not_start_is_tried_again_when_needed(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Launcher() as launcher:
        with monkeypatch.context() as broken:
            broken.setattr(sys, "executable", "/bin/false")
            launcher.start_servers(1)
        assert parent_of_a_nursery(launcher, file, 0) in children()


def test_the_run_ends_servers_that_are_still_starting() -> None:
    with Launcher() as launcher:
        launcher._servers[(0, frozenset())] = starting = launcher._start({})
        assert isinstance(starting, Server)
        assert starting.lives
    assert not starting.lives
