from pathlib import Path

import pytest
import torch

from suites.reproducibility import cuda_available_check, device_helper
from tests.suites.points import build, results

needs_no_gpu = pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU is here, and hidden only when measuring")


@needs_no_gpu
@pytest.mark.parametrize("place", ["module", "new-tensor", "checkpoint"])
def test_only_the_helper_runs_without_a_gpu(tmp_path: Path, place: str) -> None:
    with pytest.raises((RuntimeError, AssertionError), match=r"NVIDIA driver|CUDA"):
        build(device_helper.PAIR, tmp_path, place, "anti_pattern")()
    assert build(device_helper.PAIR, tmp_path, place, "recommended")().shape == (4, 10)


@needs_no_gpu
@pytest.mark.filterwarnings("ignore:CUDA is not available")
def test_autocast_for_a_missing_gpu_changes_nothing(tmp_path: Path) -> None:
    assert {found.dtype for found in results(device_helper.PAIR, tmp_path, "autocast").values()} == {torch.float32}


@needs_no_gpu
def test_only_the_job_that_does_not_ask_is_ended_by_its_limit(tmp_path: Path) -> None:
    with pytest.raises(TimeoutError, match="ran on the cpu"):
        build(cuda_available_check.PAIR, tmp_path, None, "anti_pattern")()
    assert build(cuda_available_check.PAIR, tmp_path, None, "recommended")() == cuda_available_check.NOT_BEGUN


@needs_no_gpu
def test_without_a_limit_the_job_finishes_where_nobody_wanted_it(tmp_path: Path) -> None:
    found = results(cuda_available_check.TIME_LOST, tmp_path, 20)
    assert found == {"anti_pattern": "finished on the cpu", "recommended": cuda_available_check.NOT_BEGUN}
