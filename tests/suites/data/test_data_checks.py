from pathlib import Path

import pytest

from suites.data.data_checks import PAIR
from suites.workloads.digits import load_digits
from suites.workloads.planted_faults import FAULTS, asserted
from tests.suites.points import metrics

pytest.importorskip("sklearn")


# An epoch of training stops at NaN, one of three range faults, and at labels of 10, two of three label faults; blank or
# twice normalised images it learns.
@pytest.mark.parametrize(("faults", "by_training"), [("ranges", 1 / 3), ("labels", 2 / 3), ("augmentation", 0)])
def test_assertions_find_what_training_bears(tmp_path: Path, faults: str, by_training: float) -> None:
    found = metrics(PAIR, tmp_path, faults)["faults found"]
    assert found == pytest.approx({"anti_pattern": by_training, "recommended": 1})


def test_what_looks_right_is_not_found(tmp_path: Path) -> None:
    found = metrics(PAIR, tmp_path, "looks-right")["faults found"]
    assert found == {"anti_pattern": 0, "recommended": 0}


def test_each_fault_is_called_by_its_name() -> None:
    digits = load_digits(seed=0)
    assert asserted(FAULTS["labels"]["class nearly missing"](digits)) == ["a class is rare"]
    assert asserted(FAULTS["duplicates"]["test images in training"](digits)) == ["an image is there twice"]
    assert asserted(FAULTS["augmentation"]["blank images"](digits))[:1] == ["an image is blank"]
