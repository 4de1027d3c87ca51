from pathlib import Path

import torch

from suites.cudnn import cudnn_benchmark
from tests.suites.points import build


def test_each_arm_sets_the_flag(tmp_path: Path) -> None:
    for arm, wanted in (("recommended", True), ("anti_pattern", False)):
        build(cudnn_benchmark.PAIR, tmp_path, "fixed", arm)
        assert torch.backends.cudnn.benchmark is wanted
