from pathlib import Path

import pytest
import torch

from bench.pair import Setup
from suites.tensors.strided_access import PAIR, USES, operands
from tests.suites.points import results


@pytest.mark.parametrize("use", USES)
def test_the_layout_changes_no_result(tmp_path: Path, use: str) -> None:
    results(PAIR, tmp_path, use)


# A row-major 16 x 16 matrix has the strides (16, 1): transposed they change places, every 8th column is 8 apart.
@pytest.mark.parametrize(("use", "stride"), [("row-sums", (1, 16)), ("every-8th-column", (16, 8))])
def test_the_operand_is_strided(tmp_path: Path, use: str, stride: tuple[int, int]) -> None:
    found = operands(Setup(torch.device("cpu"), tmp_path, smoke=True, value=use))
    assert found.x.stride() == stride
    assert found.other.is_contiguous()
