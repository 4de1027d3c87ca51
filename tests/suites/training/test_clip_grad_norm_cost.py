from pathlib import Path

import pytest

from suites.training.clip_grad_norm_cost import PAIR
from tests.suites.points import metrics


@pytest.mark.parametrize("network", ["many-small-layers", "few-large-layers"])
def test_clipped_gradients_are_at_most_one_long(tmp_path: Path, network: str) -> None:
    found = metrics(PAIR, tmp_path, network)["gradients longer than 1"]
    assert found == {"anti_pattern": 1, "recommended": 0, "one_by_one": 0}
