from pathlib import Path

import pytest

from suites.autograd.second_backward import PAIR
from tests.suites.points import build, results


@pytest.mark.parametrize("losses", ["the-same-loss", "two-of-one-graph"])
def test_a_second_backward_raises_unless_the_graph_was_kept(tmp_path: Path, losses: str) -> None:
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        build(PAIR, tmp_path, losses, "anti_pattern")()
    kept, summed = (build(PAIR, tmp_path, losses, arm)() for arm in ("recommended", "backward_of_the_sum"))
    assert PAIR.same.difference(kept, summed) is None


# Of x + w over 3 rows and 4 columns, a column's weight is in 3 of the mean's 12 terms and in 3 of the sum's: 1/4 + 3.
def test_additions_save_nothing_that_could_be_missing(tmp_path: Path) -> None:
    for found in results(PAIR, tmp_path, "nothing-saved").values():
        assert found.tolist() == [3.25] * 4


def test_graphs_that_share_nothing_need_no_keeping(tmp_path: Path) -> None:
    results(PAIR, tmp_path, "nothing-shared")


def test_a_kept_graph_does_not_outlive_an_update_of_its_weights(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        build(PAIR, tmp_path, "update-between", "recommended")()
