from pathlib import Path

import pytest
import torch

from suites.reproducibility.cuda_available_check_time_lost import PAIR
from tests.suites.points import results

needs_no_gpu = pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU is here, and hidden only when measuring")


@needs_no_gpu
def test_without_a_limit_the_job_finishes_where_nobody_wanted_it(tmp_path: Path) -> None:
    found = results(PAIR, tmp_path, 20)
    assert found == {"anti_pattern": "finished on the cpu", "recommended": "no GPU: not begun"}
