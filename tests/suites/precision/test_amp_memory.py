from pathlib import Path
from typing import Any

import pytest
import torch

from bench.fake import run_fake
from bench.pair import Pair, PointValue
from suites.precision import amp_memory, amp_speed, tf32
from tests.fakes import needs_fake_cuda
from tests.suites.points import all_points, metrics, results

PAIRS = (amp_memory.PAIR, amp_speed.PAIR, tf32.PAIR)
POINTS = [(pair, value) for pair in PAIRS for value in all_points(pair)]
IDS = [f"{pair.claims[0]}-{value}" for pair, value in POINTS]


# Rows n, width w = 8, two hidden layers, ten classes. Float32 saves two tanhs of n w numbers and ten log-probabilities
# a row; half precision the input's copy and the tanhs in two bytes each, the copies of both weights whose input needs a
# gradient, and the same log-probabilities. The loss keeps the sum of its weights, one number.
@pytest.mark.parametrize(("case", "rows"), [("dense-small-batch", 2), ("dense-large-batch", 64)])
def test_half_precision_halves_activations_and_adds_weights(tmp_path: Path, case: str, rows: int) -> None:
    in_float32 = 2 * rows * 8 * 4 + rows * 10 * 4 + 4
    in_half = 3 * rows * 8 * 2 + (8 * 8 + 10 * 8) * 2 + rows * 10 * 4 + 4
    saved = metrics(amp_memory.SAVED, tmp_path, case)["saved for the backward"]
    assert saved == {"anti_pattern": in_float32, "recommended": in_half}
    assert (in_half > in_float32) == (case == "dense-small-batch")


@pytest.mark.parametrize("case", ["convolutions", "transformer"])
def test_other_models_compute_the_same_in_half(tmp_path: Path, case: str) -> None:
    results(amp_memory.SAVED, tmp_path, case)


@pytest.mark.parametrize(("pair", "value"), POINTS, ids=IDS)
def test_arms_agree_on_cpu_tensors(tmp_path: Path, pair: Pair[Any], value: PointValue) -> None:
    results(pair, tmp_path, value)


# A scaler that is switched on reads a number from the GPU, and fake tensors have none.
@pytest.mark.filterwarnings("ignore:.*CUDA is not available:UserWarning")
@pytest.mark.parametrize(("pair", "value"), POINTS, ids=IDS)
@needs_fake_cuda
def test_arms_run_on_fake_cuda_tensors(monkeypatch: pytest.MonkeyPatch, pair: Pair[Any], value: PointValue) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    run_fake(pair, value)
