from pathlib import Path

import pytest

from suites.tensors.expand_write import PAIR
from tests.suites.points import build, metrics


# A row of four columns is one place in memory: writing one of them changes the other three, writing two the other two.
@pytest.mark.parametrize(("write", "unasked"), [("element", 3), ("part-of-a-row", 2)])
def test_a_silent_write_changes_the_rest_of_its_row(tmp_path: Path, write: str, unasked: int) -> None:
    found = metrics(PAIR, tmp_path, write)["elements changed unasked"]
    assert found == {"anti_pattern": unasked, "recommended": 0}


def test_a_write_to_the_whole_expanded_tensor_raises(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="more than one element"):
        build(PAIR, tmp_path, "whole-tensor", "anti_pattern")()
    assert build(PAIR, tmp_path, "whole-tensor", "recommended")() == 0
