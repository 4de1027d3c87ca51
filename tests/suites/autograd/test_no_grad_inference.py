from pathlib import Path

import pytest

from suites.autograd.no_grad_inference import PAIR
from tests.suites.points import results


@pytest.mark.parametrize("batch", [1, 3])
def test_only_the_recorded_output_has_a_graph(tmp_path: Path, batch: int) -> None:
    found = results(PAIR, tmp_path, batch)
    graphs = {arm: output.grad_fn is not None for arm, output in found.items()}
    assert graphs == {"anti_pattern": True, "recommended": False, "inference_mode": False}
    assert found["inference_mode"].is_inference()
