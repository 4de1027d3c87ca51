from pathlib import Path

import pytest

from suites.deploy.half_precision_inference import PAIR
from tests.suites.points import metrics, size_of

pytest.importorskip("sklearn")


# The tiny encoder has 50 x 24 + 16 x 24 + 2 x 24 + 48 numbers before its block, and in it 4 x (24 x 24 + 24), then
# 24 x 96 + 96, 96 x 24 + 24 and 2 x 48: 8904 in 21 tensors, each of which the file begins at a multiple of 64 bytes.
def test_a_number_takes_two_bytes_less(tmp_path: Path) -> None:
    metrics(PAIR, tmp_path, "minilm-8")
    whole, half, bfloat = (size_of(tmp_path, arm) for arm in ("anti_pattern", "recommended", "bfloat16"))
    assert whole - half == pytest.approx(2 * 8904, abs=64 * 21)
    assert half == bfloat


# Rounding moves a logit by a thousandth of it or less: of 449 images a few may change sides.
def test_halves_answer_nearly_as_float32_does(tmp_path: Path) -> None:
    right = metrics(PAIR, tmp_path, "digits-cnn-64")["right answers"]
    assert right["recommended"] == pytest.approx(right["anti_pattern"], abs=5 / 449)


def test_float32_finds_all_its_own_neighbours(tmp_path: Path) -> None:
    right = metrics(PAIR, tmp_path, "minilm-8")["right answers"]
    assert right["anti_pattern"] == 1.0
