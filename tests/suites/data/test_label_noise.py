from pathlib import Path

import pytest

from bench.pair import Setup
from suites.data import label_noise
from suites.workloads.digits import CLASSES
from tests.suites.points import CPU, metrics

pytest.importorskip("sklearn")


# 1,348 labels, each wrong with probability p: 1,348 p give or take four standard deviations of sqrt(1,348 p (1 - p)).
@pytest.mark.parametrize("percent", [0, 5, 40])
def test_so_many_labels_are_wrong(tmp_path: Path, percent: int) -> None:
    right, noisy, _, _ = label_noise.labelled(Setup(CPU, tmp_path, smoke=True, value=percent))
    p, n = percent / 100, len(right.train_y)
    wrong = int((right.train_y != noisy.train_y).sum())
    assert abs(wrong - n * p) <= 4 * (n * p * (1 - p)) ** 0.5
    assert 0 <= int(noisy.train_y.min()) <= int(noisy.train_y.max()) < CLASSES


def test_without_wrong_labels_only_the_width_differs(tmp_path: Path) -> None:
    accuracies = metrics(label_noise.PAIR, tmp_path, 0)["accuracy"]
    assert accuracies["anti_pattern"] == accuracies["wider_on_right_labels"]
    assert accuracies["recommended"] == accuracies["narrow_on_wrong_labels"]
