from pathlib import Path

import pytest

from suites.data.mask_padding_empty_row import PAIR
from tests.suites.points import metrics


# One sequence of four is empty: where its softmax is NaN, a quarter of the output is, and nothing of the other rows.
@pytest.mark.parametrize(
    ("attention", "finite"),
    [("fused-attention", 1.0), ("own-softmax", 0.75), ("layer-training", 1.0), ("layer-inference", 0.75)],
)
def test_a_fully_masked_row_may_be_nan(tmp_path: Path, attention: str, finite: float) -> None:
    found = metrics(PAIR, tmp_path, attention)
    assert found["finite share of the output"] == {"anti_pattern": 1.0, "recommended": finite}
    assert found["output error"]["anti_pattern"] > 0.01
    assert found["output error"]["recommended"] == pytest.approx(0, abs=1e-5)
