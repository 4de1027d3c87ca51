from pathlib import Path

import pytest

from suites.data import spawn_main_guard
from suites.workloads.scripts import run_script
from tests.suites.points import build

PAIR = spawn_main_guard.PAIR


def test_a_spawned_worker_needs_the_guard(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"attempt .* to start a new process"):
        build(PAIR, tmp_path, "process-spawned", "anti_pattern")()
    assert build(PAIR, tmp_path, "process-spawned", "recommended")() == ["trained"]


@pytest.mark.parametrize("arm", ["anti_pattern", "recommended"])
def test_a_forked_worker_does_not(tmp_path: Path, arm: str) -> None:
    assert build(PAIR, tmp_path, "process-forked", arm)() == ["trained"]


def test_a_script_that_fails_tells_its_first_error(tmp_path: Path) -> None:
    path = tmp_path / "fails.py"
    path.write_text("raise ValueError('nothing to train on')")
    with pytest.raises(RuntimeError, match="nothing to train on"):
        run_script(path)
