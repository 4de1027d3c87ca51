from pathlib import Path

import pytest

from suites.precision.grad_scaler_training import PAIR
from tests.suites.points import metrics


# Without a gradient Adam's update is 0, and the untrained classifier's loss stays near that of guessing, log 10.
def test_the_field_guide_loop_does_not_train_on_a_light_loss(tmp_path: Path) -> None:
    losses = metrics(PAIR, tmp_path, "weighed-1e-6")["final loss"]
    assert losses["anti_pattern"] == pytest.approx(2.3, abs=0.3)
    assert losses["recommended"] < losses["anti_pattern"] - 0.2


def test_the_field_guide_loop_trains_on_a_loss_of_order_one(tmp_path: Path) -> None:
    losses = metrics(PAIR, tmp_path, "order-1")["final loss"]
    assert losses["anti_pattern"] == pytest.approx(losses["recommended"], abs=0.02)
