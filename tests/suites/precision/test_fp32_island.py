from pathlib import Path

import pytest
import torch

from suites.precision.fp32_island import PAIR
from suites.workloads.reductions import LOSSES, Reduction
from tests.suites.points import metrics

ERROR = "output error"


# 256 x 512 ones add up to 131,072, twice what float16 can hold; bfloat16 holds it, a power of two, exactly.
@pytest.mark.parametrize(("kind", "in_half"), [(torch.float16, float("inf")), (torch.bfloat16, 131072)])
def test_a_sum_beyond_float16_is_infinite(kind: torch.dtype, in_half: float) -> None:
    ones = Reduction(torch.ones(256, 1), torch.ones(1, 512), torch.zeros(256), kind, LOSSES["sum"])
    assert {arm: float(build(ones)()["loss"]) for arm, build in PAIR.arms.items()} == {
        "anti_pattern": in_half,
        "recommended": 131072,
        "island_without_float": in_half,
    }


# The squares of 300 are 90,000 each, so even their mean is out of reach.
@pytest.mark.parametrize("case", ["sum", "sum-of-squares", "mean-of-large-squares"])
def test_only_an_island_with_float_is_finite(tmp_path: Path, case: str) -> None:
    errors = metrics(PAIR, tmp_path, case)[ERROR]
    assert errors["anti_pattern"] == errors["island_without_float"] == float("inf")
    assert errors["recommended"] < 1e-3


# A sum that fits is rounded once, by 2^-11 of itself at most; the rounding of its terms averages out.
def test_a_sum_that_fits_needs_no_island(tmp_path: Path) -> None:
    errors = metrics(PAIR, tmp_path, "sum-within-range")[ERROR]
    assert max(errors.values()) < 2**-11 + 1e-4


@pytest.mark.parametrize("case", ["mse-loss", "cross-entropy"])
def test_autocast_keeps_some_losses_in_float32_by_itself(tmp_path: Path, case: str) -> None:
    errors = metrics(PAIR, tmp_path, case)[ERROR]
    assert errors["anti_pattern"] == errors["recommended"] < 1e-3
    assert errors["island_without_float"] > errors["recommended"]
