from pathlib import Path

import pytest

from suites.precision.amp_memory_saved import PAIR
from tests.suites.points import metrics, results


# Rows n, width w = 8, two hidden layers, ten classes. Float32 saves two tanhs of n w numbers and ten log-probabilities
# a row; half precision the input's copy and the tanhs in two bytes each, the copies of both weights whose input needs a
# gradient, and the same log-probabilities. The loss keeps the sum of its weights, one number.
@pytest.mark.parametrize(("case", "rows"), [("dense-small-batch", 2), ("dense-large-batch", 64)])
def test_half_precision_halves_activations_and_adds_weights(tmp_path: Path, case: str, rows: int) -> None:
    in_float32 = 2 * rows * 8 * 4 + rows * 10 * 4 + 4
    in_half = 3 * rows * 8 * 2 + (8 * 8 + 10 * 8) * 2 + rows * 10 * 4 + 4
    saved = metrics(PAIR, tmp_path, case)["saved for the backward"]
    assert saved == {"anti_pattern": in_float32, "recommended": in_half}
    assert (in_half > in_float32) == (case == "dense-small-batch")


@pytest.mark.parametrize("case", ["convolutions", "transformer"])
def test_other_models_compute_the_same_in_half(tmp_path: Path, case: str) -> None:
    results(PAIR, tmp_path, case)
