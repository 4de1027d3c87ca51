from pathlib import Path

import pytest

from suites.training.clip_grad_norm_not_finite import PAIR
from tests.suites.points import metrics


# 1 / NaN is NaN, which all 48 gradients are multiplied by; 1 / inf is 0, and 0 times inf is NaN for that one alone.
@pytest.mark.parametrize(("number", "clipped"), [("nan", 48), ("inf", 1)])
def test_clipping_passes_a_bad_number_on_in_silence(tmp_path: Path, number: str, clipped: int) -> None:
    found = metrics(PAIR, tmp_path, number)["weights lost"]
    assert found == {"anti_pattern": 1, "recommended": clipped, "skipped_if_not_finite": 0}
