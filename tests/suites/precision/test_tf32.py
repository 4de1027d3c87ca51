from pathlib import Path

import pytest
import torch

from suites.precision.tf32 import PAIR
from tests.suites.points import build, metrics


def test_each_arm_sets_the_precision(tmp_path: Path) -> None:
    for arm in ("anti_pattern", "recommended"):
        build(PAIR, tmp_path, "product", arm)
        assert torch.get_float32_matmul_precision() == {"anti_pattern": "highest", "recommended": "high"}[arm]


# Float32 rounds by 2^-24 at most, at each of a few dozen additions that go either way.
@pytest.mark.parametrize("work", ["product", "few-rows", "convolution"])
def test_float32_is_near_the_truth(tmp_path: Path, work: str) -> None:
    assert metrics(PAIR, tmp_path, work)["product error"]["anti_pattern"] < 1e-6
