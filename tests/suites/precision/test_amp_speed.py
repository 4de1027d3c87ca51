from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from suites.precision.amp_speed import PAIR
from tests.suites.points import build


@pytest.fixture(autouse=True)
def _torchs_own_precision() -> Iterator[None]:
    torch.set_float32_matmul_precision("highest")
    yield
    torch.set_float32_matmul_precision("highest")


@pytest.mark.parametrize(("arm", "wanted"), [("anti_pattern", "highest"), ("recommended", "highest"), ("tf32", "high")])
def test_only_the_tf32_arm_changes_the_precision_of_products(tmp_path: Path, arm: str, wanted: str) -> None:
    build(PAIR, tmp_path, "dense-small-batch", arm)
    assert torch.get_float32_matmul_precision() == wanted
