from pathlib import Path

import pytest

from suites.tensors import expand_is_free, expand_write, reshape_copies
from tests.suites.points import build, metrics, results

USES = reshape_copies.USES


# Eight uses: reshape copies at each where no view exists; contiguous() copies once where the layout is wrong.
@pytest.mark.parametrize(
    ("layout", "reshape", "fixed_once", "fixed_each_time"),
    [("transposed", USES, 1, USES), ("contiguous", 0, 0, 0), ("stride-compatible", 0, 1, USES)],
)
def test_reshape_copies_where_no_view_exists(
    tmp_path: Path, layout: str, reshape: int, fixed_once: int, fixed_each_time: int
) -> None:
    found = metrics(reshape_copies.PAIR, tmp_path, layout)["copies made"]
    assert found == {
        "anti_pattern": reshape,
        "recommended": fixed_once,
        "contiguous_each_time": fixed_each_time,
    }


@pytest.mark.parametrize("use", ["added", "written-out"])
def test_expanding_gives_what_repeating_gives(tmp_path: Path, use: str) -> None:
    results(expand_is_free.PAIR, tmp_path, use)


# A row of four columns is one place in memory: writing one of them changes the other three, writing two the other two.
@pytest.mark.parametrize(("write", "unasked"), [("element", 3), ("part-of-a-row", 2)])
def test_a_silent_write_changes_the_rest_of_its_row(tmp_path: Path, write: str, unasked: int) -> None:
    found = metrics(expand_write.PAIR, tmp_path, write)["elements changed unasked"]
    assert found == {"anti_pattern": unasked, "recommended": 0}


def test_a_write_to_the_whole_expanded_tensor_raises(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="more than one element"):
        build(expand_write.PAIR, tmp_path, "whole-tensor", "anti_pattern")()
    assert build(expand_write.PAIR, tmp_path, "whole-tensor", "recommended")() == 0
