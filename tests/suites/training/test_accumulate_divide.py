from pathlib import Path

import pytest

from suites.training.accumulate_divide import PAIR
from tests.suites.points import metrics


# The mean loss of n samples is the mean of k equal parts' mean losses, so their sum has k times its gradient g:
# |k g - g| / |g| = k - 1. Plain SGD's update is proportional to the gradient.
@pytest.mark.parametrize(("case", "k"), [("equal-2", 2), ("equal-8", 8)])
def test_undivided_gradients_are_k_times_too_large(tmp_path: Path, case: str, k: int) -> None:
    found = metrics(PAIR, tmp_path, case)
    for errors, tolerance in ((found["gradient error"], 1e-5), (found["update error"], 1e-3)):
        assert errors["anti_pattern"] == pytest.approx(k - 1, rel=1e-3)
        assert errors["recommended"] == pytest.approx(0, abs=tolerance)


# Adam's first update is the rate times g / (|g| + 1e-8), in which a factor of g cancels.
def test_adam_hides_the_missing_division(tmp_path: Path) -> None:
    found = metrics(PAIR, tmp_path, "equal-8-adam")
    assert found["gradient error"]["anti_pattern"] == pytest.approx(7, rel=1e-3)
    assert found["update error"]["anti_pattern"] < 0.05


def test_dividing_by_k_is_wrong_when_the_last_part_is_short(tmp_path: Path) -> None:
    errors = metrics(PAIR, tmp_path, "short-last-8")["gradient error"]
    assert errors["recommended"] > 0.01
    assert errors["weighed_by_samples"] == pytest.approx(0, abs=1e-5)
