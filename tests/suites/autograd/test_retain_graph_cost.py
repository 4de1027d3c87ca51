from pathlib import Path

import pytest

from suites.autograd.retain_graph_cost import PAIR
from tests.suites.points import metrics


# Backward is linear: the gradient of a sum is the sum of the gradients, in float32 but for rounding.
@pytest.mark.parametrize("trunk", ["shared", "separate"])
def test_one_summed_backward_gives_the_gradient_of_two(tmp_path: Path, trunk: str) -> None:
    errors = metrics(PAIR, tmp_path, trunk)["gradient error"]
    assert errors == pytest.approx({"anti_pattern": 0, "recommended": 0}, abs=1e-5)
