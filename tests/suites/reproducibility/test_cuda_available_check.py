from pathlib import Path

import pytest
import torch

from suites.reproducibility.cuda_available_check import PAIR
from tests.suites.points import build

needs_no_gpu = pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU is here, and hidden only when measuring")


@needs_no_gpu
def test_only_the_job_that_does_not_ask_is_ended_by_its_limit(tmp_path: Path) -> None:
    with pytest.raises(TimeoutError, match="ran on the cpu"):
        build(PAIR, tmp_path, None, "anti_pattern")()
    assert build(PAIR, tmp_path, None, "recommended")() == "no GPU: not begun"
