from pathlib import Path

import pytest

from suites.autograd import no_grad_inference, retain_graph_cost
from tests.suites.points import metrics, results


# Backward is linear: the gradient of a sum is the sum of the gradients, in float32 but for rounding.
@pytest.mark.parametrize("trunk", ["shared", "separate"])
def test_one_summed_backward_gives_the_gradient_of_two(tmp_path: Path, trunk: str) -> None:
    errors = metrics(retain_graph_cost.PAIR, tmp_path, trunk)["gradient error"]
    assert errors == pytest.approx({"anti_pattern": 0, "recommended": 0}, abs=1e-5)


@pytest.mark.parametrize("batch", [1, 3])
def test_only_the_recorded_output_has_a_graph(tmp_path: Path, batch: int) -> None:
    found = results(no_grad_inference.PAIR, tmp_path, batch)
    graphs = {arm: output.grad_fn is not None for arm, output in found.items()}
    assert graphs == {"anti_pattern": True, "recommended": False, "inference_mode": False}
    assert found["inference_mode"].is_inference()
