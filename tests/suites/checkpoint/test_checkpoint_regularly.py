from pathlib import Path

import pytest

from suites.checkpoint import checkpoint_regularly
from tests.suites.points import metrics

LOST, DAMAGED = "steps lost", "checkpoints damaged"


# Killed after step 10: the last save was that of step 8, or none.
def test_between_saves_every_way_loses_what_came_after_the_last(tmp_path: Path) -> None:
    found = metrics(checkpoint_regularly.PAIR, tmp_path, "between-saves")
    assert found[LOST].pop("anti_pattern") == 10
    assert set(found[LOST].values()) == {2}
    assert set(found[DAMAGED].values()) == {0}


# Killed while the save of step 12 is half written: step 8 is there still, unless it is what was written over.
def test_in_mid_write_a_file_that_is_written_over_is_lost(tmp_path: Path) -> None:
    found = metrics(checkpoint_regularly.PAIR, tmp_path, "mid-write")
    assert found[LOST] == {
        "anti_pattern": 12,
        "recommended": 4,
        "regularly_in_place": 12,
        "regularly_a_file_each": 4,
        "regularly_in_a_thread": 4,
    }
    assert found[DAMAGED] == {
        "anti_pattern": 1,
        "recommended": 0,
        "regularly_in_place": 1,
        "regularly_a_file_each": pytest.approx(1 / 3),
        "regularly_in_a_thread": 0,
    }
