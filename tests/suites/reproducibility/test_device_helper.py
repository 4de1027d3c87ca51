from pathlib import Path

import pytest
import torch

from suites.reproducibility.device_helper import PAIR
from tests.suites.points import build, results

needs_no_gpu = pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU is here, and hidden only when measuring")


@needs_no_gpu
@pytest.mark.parametrize("place", ["module", "new-tensor", "checkpoint"])
def test_only_the_helper_runs_without_a_gpu(tmp_path: Path, place: str) -> None:
    with pytest.raises((RuntimeError, AssertionError), match=r"NVIDIA driver|CUDA"):
        build(PAIR, tmp_path, place, "anti_pattern")()
    assert build(PAIR, tmp_path, place, "recommended")().shape == (4, 10)


@needs_no_gpu
@pytest.mark.filterwarnings("ignore:CUDA is not available")
def test_autocast_for_a_missing_gpu_changes_nothing(tmp_path: Path) -> None:
    assert {found.dtype for found in results(PAIR, tmp_path, "autocast").values()} == {torch.float32}
