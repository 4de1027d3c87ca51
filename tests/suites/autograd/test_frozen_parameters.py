from pathlib import Path

import pytest

from suites.autograd.frozen_parameters import PAIR
from tests.suites.points import metrics

# Adam keeps two floats a parameter and a step count, a float, per tensor: the head is 8 x 10 + 10 in 2 tensors, the
# encoder 2 x (8 x 8 + 8) in 4.
HEAD = 8 * 90 + 4 * 2
ENCODER = 8 * 144 + 4 * 4


@pytest.mark.parametrize(("frozen", "left"), [("from-the-start", 0), ("mid-training", ENCODER)])
def test_adam_keeps_moments_for_what_once_had_a_gradient(tmp_path: Path, frozen: str, left: int) -> None:
    state = metrics(PAIR, tmp_path, frozen)["optimizer state"]
    assert state == {"anti_pattern": HEAD + left, "recommended": HEAD}
