from pathlib import Path

import pytest
import torch

from suites.training.accumulate_divide_loss import PAIR
from suites.workloads.loops import descended, moved, task
from suites.workloads.loss_curve import RATE, Curve, train
from tests.suites.points import metrics

pytest.importorskip("sklearn")


@pytest.mark.parametrize("case", ["equal-2", "equal-8", "equal-8-low-rate"])
def test_divided_training_ends_where_large_batches_end(tmp_path: Path, case: str) -> None:
    errors = metrics(PAIR, tmp_path, case)["weight error"]
    assert errors["recommended"] == pytest.approx(0, abs=1e-4)
    assert errors["anti_pattern"] > 0.5


# rate · Σ gᵢ = (k · rate) · Σ gᵢ / k.
def test_undivided_is_a_rate_k_times_as_high() -> None:
    digits, k = task(seed=0, batches=8, rows=16), 4
    curve = Curve(digits, k, RATE / k)
    expected = moved(descended(digits.model, curve.whole(), RATE), digits.model)
    torch.testing.assert_close(train(curve, divisor=1)["change"], expected, rtol=1e-3, atol=1e-6)
