from pathlib import Path

import pytest

from suites.training import log_every_n
from tests.suites.points import build, metrics


# Four updates in a tiny run: a line at each, or at the first of each hundred. Only the loss is waited for.
@pytest.mark.parametrize("updates", ["short", "long"])
def test_only_logged_losses_are_waited_for(tmp_path: Path, updates: str) -> None:
    waits = metrics(log_every_n.PAIR, tmp_path, updates)["waits for the device"]
    assert waits == {"anti_pattern": 4, "recommended": 1, "at_every_update_without_loss": 0}


def test_each_line_is_written(tmp_path: Path) -> None:
    for arm, lines in (("anti_pattern", 4), ("recommended", 1), ("at_every_update_without_loss", 4)):
        build(log_every_n.PAIR, tmp_path, "short", arm)()
        assert len((tmp_path / arm / "log.txt").read_text().splitlines()) == lines


def test_the_hundred_are_counted_over_the_steps(tmp_path: Path) -> None:
    step = build(log_every_n.PAIR, tmp_path, "short", "recommended")
    lines = [bool(step()) and (tmp_path / "recommended" / "log.txt").read_text() for _ in range(26)]
    assert [number for number, line in enumerate(lines) if line] == [0, 25]
