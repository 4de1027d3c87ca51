from pathlib import Path

import pytest
import torch

from suites.precision import amp_speed
from tests.suites.points import build, metrics, results


def test_only_the_tf32_arm_changes_the_precision_of_products(tmp_path: Path) -> None:
    for arm, wanted in (("anti_pattern", "highest"), ("recommended", "highest"), ("tf32", "high")):
        build(amp_speed.PAIR, tmp_path, "dense-small-batch", arm)
        assert torch.get_float32_matmul_precision() == wanted


@pytest.mark.parametrize("case", ["dense-small-batch", "dense-middle-batch"])
def test_bfloat16_trains_alike_on_the_cpu(tmp_path: Path, case: str) -> None:
    results(amp_speed.ON_CPU, tmp_path, case)


# Two updates of Adam's rate each, from the same weights: the networks still agree on nearly every digit.
def test_digits_are_learnt_alike_in_half_precision(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    found = metrics(amp_speed.DIGITS, tmp_path, 64)["accuracy"]
    assert max(found.values()) - min(found.values()) < 0.05
