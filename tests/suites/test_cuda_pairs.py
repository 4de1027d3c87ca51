"""Pairs that need CUDA: their arms agree on CPU tensors here, and run on fake CUDA tensors."""

from pathlib import Path
from typing import Any

import pytest
import torch

from bench.fake import run_fake
from bench.pair import Pair, PointValue
from suites.cudnn import cudnn_benchmark
from suites.transfer import pinned_non_blocking
from tests.suites.points import all_points, build, results

PAIRS = (cudnn_benchmark.PAIR, pinned_non_blocking.PAIR)
POINTS = [(pair, value) for pair in PAIRS for value in all_points(pair)]
IDS = [f"{pair.claims[0]}-{value}" for pair, value in POINTS]


@pytest.mark.parametrize(("pair", "value"), POINTS, ids=IDS)
def test_arms_agree_on_cpu_tensors(tmp_path: Path, pair: Pair[Any], value: PointValue) -> None:
    results(pair, tmp_path, value)


@pytest.mark.filterwarnings("ignore:Accessing the data pointer of FakeTensor")
@pytest.mark.parametrize(("pair", "value"), POINTS, ids=IDS)
def test_arms_run_on_fake_cuda_tensors(pair: Pair[Any], value: PointValue) -> None:
    run_fake(pair, value)


def test_each_arm_sets_cudnn_benchmark(tmp_path: Path) -> None:
    for arm, wanted in (("recommended", True), ("anti_pattern", False)):
        build(cudnn_benchmark.PAIR, tmp_path, "fixed", arm)
        assert torch.backends.cudnn.benchmark is wanted


# Eight batches through n products each: one mean per batch.
def test_every_batch_is_computed(tmp_path: Path) -> None:
    assert {len(found) for found in results(pinned_non_blocking.PAIR, tmp_path, 2).values()} == {8}
