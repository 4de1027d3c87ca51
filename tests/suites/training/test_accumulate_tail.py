from math import sqrt
from pathlib import Path

import pytest

from suites.training import accumulate_tail
from tests.suites.points import metrics

ARMS = ("anti_pattern", "recommended", "tail_by_its_length", "cleared_each_epoch")


# Ten batches and k = 4: two updates an epoch, or three with the tail. The two batches left over by the first epoch leak
# into the second's first update, and both epochs' pairs miss their own.
@pytest.mark.parametrize(
    ("metric", "by_arm"),
    [
        ("updates made", (4, 6, 6, 4)),
        ("batches leaked into the next epoch", (2, 0, 0, 0)),
        ("batches left out of their epoch", (4, 0, 0, 4)),
        # Leaked: (1, 1, 1, 1, 1, 1) / 4 for (1, 1, 1, 1, 0, 0) / 4, √2 / √4 off. The tail: (1, 1) / 4 for (1, 1) / 2.
        ("largest update error", (sqrt(2 / 4), 0.5, 0, 0)),
    ],
)
def test_ten_batches_leave_two_over(tmp_path: Path, metric: str, by_arm: tuple[float, ...]) -> None:
    found = metrics(accumulate_tail.PAIR, tmp_path, 10)[metric]
    assert found == pytest.approx(dict(zip(ARMS, by_arm, strict=True)))


def test_eight_batches_leave_none_over(tmp_path: Path) -> None:
    found = metrics(accumulate_tail.PAIR, tmp_path, 8)
    assert set(found["updates made"].values()) == {4}
    for metric in ("batches leaked into the next epoch", "batches left out of their epoch", "largest update error"):
        assert set(found[metric].values()) == {0}
