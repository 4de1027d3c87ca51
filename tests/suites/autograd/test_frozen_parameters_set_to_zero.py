from pathlib import Path

from suites.autograd.frozen_parameters_set_to_zero import PAIR
from tests.suites.points import metrics


# A gradient of zero is one to Adam: its first moment decays and still moves the weight.
def test_gradients_of_zero_move_frozen_weights(tmp_path: Path) -> None:
    moved = metrics(PAIR, tmp_path, "mid-training")["frozen weights moved"]
    assert moved["anti_pattern"] > 1e-5
    assert moved["recommended"] == 0


def test_weights_that_never_had_a_gradient_stay(tmp_path: Path) -> None:
    moved = metrics(PAIR, tmp_path, "from-the-start")["frozen weights moved"]
    assert moved == {"anti_pattern": 0, "recommended": 0}
