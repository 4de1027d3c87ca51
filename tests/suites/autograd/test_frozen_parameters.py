from pathlib import Path

import pytest

from suites.autograd.frozen_parameters import PAIR, SET_TO_ZERO
from tests.suites.points import metrics

# Adam keeps two floats a parameter and a step count, a float, per tensor: the head is 8 x 10 + 10 in 2 tensors, the
# encoder 2 x (8 x 8 + 8) in 4.
HEAD = 8 * 90 + 4 * 2
ENCODER = 8 * 144 + 4 * 4


@pytest.mark.parametrize(("frozen", "left"), [("from-the-start", 0), ("mid-training", ENCODER)])
def test_adam_keeps_moments_for_what_once_had_a_gradient(tmp_path: Path, frozen: str, left: int) -> None:
    state = metrics(PAIR, tmp_path, frozen)["optimizer state"]
    assert state == {"anti_pattern": HEAD + left, "recommended": HEAD}


# A gradient of zero is one to Adam: its first moment decays and still moves the weight.
def test_gradients_of_zero_move_frozen_weights(tmp_path: Path) -> None:
    moved = metrics(SET_TO_ZERO, tmp_path, "mid-training")["frozen weights moved"]
    assert moved["anti_pattern"] > 1e-5
    assert moved["recommended"] == 0


def test_weights_that_never_had_a_gradient_stay(tmp_path: Path) -> None:
    moved = metrics(SET_TO_ZERO, tmp_path, "from-the-start")["frozen weights moved"]
    assert moved == {"anti_pattern": 0, "recommended": 0}
