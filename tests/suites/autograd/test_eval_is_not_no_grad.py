from pathlib import Path

import pytest

from suites.autograd.eval_is_not_no_grad import PAIR
from tests.suites.points import build, metrics

DRIFT, BUFFERS, KEPT = "output drift", "buffers changed", "tensors kept by a graph"


# Each of the two BatchNorm layers has a running mean, a running variance and a count of batches.
@pytest.mark.parametrize(("layers", "buffers"), [("batchnorm", 6), ("dropout", 0)])
def test_each_of_the_two_does_its_own_part(tmp_path: Path, layers: str, buffers: int) -> None:
    found = metrics(PAIR, tmp_path, layers)
    assert found[DRIFT]["anti_pattern"] > 0.01
    assert found[DRIFT]["recommended"] == found[DRIFT]["eval_only"] == pytest.approx(0, abs=1e-5)
    assert found[BUFFERS] == {"anti_pattern": buffers, "recommended": 0, "eval_only": 0}
    assert found[KEPT]["anti_pattern"] == found[KEPT]["recommended"] == 0
    assert found[KEPT]["eval_only"] > 0


def test_a_single_sample_has_no_variance_to_train_on(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="more than 1 value per channel"):
        build(PAIR, tmp_path, "batchnorm-one-sample", "anti_pattern")()
    assert build(PAIR, tmp_path, "batchnorm-one-sample", "recommended")()["buffers changed"] == 0


def test_a_model_with_neither_layer_needs_no_eval(tmp_path: Path) -> None:
    assert metrics(PAIR, tmp_path, "neither")[DRIFT]["anti_pattern"] == pytest.approx(0, abs=1e-5)
