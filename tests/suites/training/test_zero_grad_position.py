from pathlib import Path

import pytest

from suites.training.zero_grad_position import PAIR, train
from suites.workloads.compare import error_of
from suites.workloads.loops import Task, task
from suites.workloads.skipping import Loop
from tests.suites.points import metrics

pytest.importorskip("sklearn")


def errors(folder: Path, loop: str) -> dict[str, float]:
    return metrics(PAIR, folder, loop)["weight error"]


def test_a_skip_after_backward_leaks(tmp_path: Path) -> None:
    found = errors(tmp_path, "skip-after-backward")
    assert found["anti_pattern"] > 0.01
    assert found["recommended"] == found["cleared_before_the_first"] == 0


@pytest.mark.parametrize("loop", ["skip-before-backward", "no-skips"])
def test_without_a_leftover_the_position_does_not_matter(tmp_path: Path, loop: str) -> None:
    assert set(errors(tmp_path, loop).values()) == {0}


# Four alike micro-batches: the sum of four quarters is the whole gradient, and the last quarter alone is 3/4 short.
def test_clearing_before_every_backward_undoes_accumulation() -> None:
    digits = task(seed=0, batches=1, rows=32)
    loop = Loop(Task(digits.model, digits.batches * 4), skip="", k=4)
    read = error_of("change")
    assert read(train(loop, clear="before-backward")) == pytest.approx(3 / 4, rel=1e-3)
    assert read(train(loop, clear="at-the-end")) == pytest.approx(0, abs=1e-4)


def test_clearing_before_the_first_backward_allows_accumulation(tmp_path: Path) -> None:
    found = errors(tmp_path, "accumulating")
    assert found["recommended"] > 0.5
    assert found["anti_pattern"] == pytest.approx(0, abs=1e-4)
    assert found["cleared_before_the_first"] == pytest.approx(0, abs=1e-4)
