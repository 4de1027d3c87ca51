from pathlib import Path
from typing import Any

import pytest
import torch

from bench.fake import run_fake
from bench.pair import Pair, PointValue
from suites.precision import amp_memory, amp_speed, tf32
from tests.fakes import needs_fake_cuda
from tests.suites.points import all_points, results

PAIRS = (amp_memory.PAIR, amp_speed.PAIR, tf32.PAIR)
POINTS = [(pair, value) for pair in PAIRS for value in all_points(pair)]
IDS = [f"{pair.claims[0]}-{value}" for pair, value in POINTS]


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
