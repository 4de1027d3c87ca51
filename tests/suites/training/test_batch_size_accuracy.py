from pathlib import Path

import pytest

from suites.training.batch_size_accuracy import PAIR
from suites.workloads.digits import TRAINING
from tests.suites.points import results

pytest.importorskip("sklearn")


def test_digits_are_trained_in_every_batch_size(tmp_path: Path) -> None:
    assert {result["samples"] for result in results(PAIR, tmp_path, 512).values()} == {TRAINING}
