from pathlib import Path

import pytest

from suites.checkpoint import strict_false_inspect
from suites.workloads.foreign_weights import by_ending
from tests.suites.points import build

pytest.importorskip("sklearn")
PAIR = strict_false_inspect.PAIR


# No name of the file is one of ours, and strict=False says nothing of it: 0 of the 4 tensors of two convolutions.
@pytest.mark.parametrize("names", ["prefixed", "renamed"])
def test_foreign_names_load_nothing_and_only_the_lists_tell(tmp_path: Path, names: str) -> None:
    for arm, loaded in (("anti_pattern", 0), ("recommended", 1)):
        assert build(PAIR, tmp_path, names, arm)()["arrived"] == loaded


def test_a_foreign_head_needs_no_mending(tmp_path: Path) -> None:
    arms = ("anti_pattern", "recommended")
    assert [build(PAIR, tmp_path, "other-head", arm)()["arrived"] for arm in arms] == [1, 1]


def test_strict_true_says_what_strict_false_does_not(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="Missing key"):
        build(PAIR, tmp_path, "prefixed", "strict_true")()


def test_a_shape_that_does_not_fit_raises_all_the_same(tmp_path: Path) -> None:
    for arm in ("anti_pattern", "recommended"):
        with pytest.raises(RuntimeError, match=r"size mismatch for head\.weight"):
            build(PAIR, tmp_path, "other-classes", arm)()
    assert build(PAIR, tmp_path, "other-classes", "without_wrong_shapes")()["arrived"] == 1


def test_names_are_matched_by_their_endings() -> None:
    weights = {"module.net.0.weight": 1, "module.net.1.weight": 2, "module.fc.weight": 3}
    found = by_ending(weights, ["net.0.weight", "net.1.weight"], list(weights))  # type: ignore[arg-type]
    assert found == {"net.0.weight": 1, "net.1.weight": 2}
