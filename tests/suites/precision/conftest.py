"""These tests leave the precision of float32 products as they found it."""

from collections.abc import Iterator

import pytest
import torch


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    before = torch.get_float32_matmul_precision()
    yield
    torch.set_float32_matmul_precision(before)
