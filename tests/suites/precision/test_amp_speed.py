from pathlib import Path

import torch

from suites.precision.amp_speed import PAIR
from tests.suites.points import build


def test_only_the_tf32_arm_changes_the_precision_of_products(tmp_path: Path) -> None:
    for arm, wanted in (("anti_pattern", "highest"), ("recommended", "highest"), ("tf32", "high")):
        build(PAIR, tmp_path, "dense-small-batch", arm)
        assert torch.get_float32_matmul_precision() == wanted
