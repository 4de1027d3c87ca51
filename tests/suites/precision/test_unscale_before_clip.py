from pathlib import Path

import pytest

from suites.precision.unscale_before_clip import PAIR
from tests.suites.points import metrics

ERROR, LENGTH = "update error", "length of the update over the true one"
SCALE = 2**16


# Clipped to the limit and then divided by the scale, the gradient has the length limit / scale. The true one is cut to
# the limit, which is half its length, so what is not cut at all is twice as long.
def test_a_clipped_scaled_gradient_is_a_scale_too_short(tmp_path: Path) -> None:
    found = metrics(PAIR, tmp_path, "above-the-limit")
    assert found[LENGTH] == pytest.approx(
        {"anti_pattern": 1 / SCALE, "recommended": 1, "clip_before_backward": 2, "clip_without_scaler": 1}, rel=0.01
    )
    assert found[ERROR]["anti_pattern"] == pytest.approx(1 - 1 / SCALE, rel=1e-4)
    assert found[ERROR]["recommended"] < 0.01


# The limit is twice the true length, so nothing should be cut, yet the scaled gradient is.
def test_it_is_cut_where_nothing_should_be(tmp_path: Path) -> None:
    assert metrics(PAIR, tmp_path, "below-the-limit")[LENGTH] == pytest.approx(
        {"anti_pattern": 2 / SCALE, "recommended": 1, "clip_before_backward": 1, "clip_without_scaler": 1}, rel=0.01
    )


# Adam's first update is the rate times g / (|g| + 1e-8), in which a factor of g cancels until g nears 1e-8.
def test_adam_hides_it(tmp_path: Path) -> None:
    found = metrics(PAIR, tmp_path, "above-the-limit-adam")
    assert found[LENGTH]["anti_pattern"] > 0.8
    assert found[ERROR]["anti_pattern"] < 0.5
