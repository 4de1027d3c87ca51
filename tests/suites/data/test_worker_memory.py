from pathlib import Path

import pytest

from suites.data import worker_memory
from suites.workloads.metadata import AsArrays, AsObjects, path_of
from tests.suites.points import results


# 100 samples: every path has as many letters as the first, and the labels are 0 to 99.
@pytest.mark.parametrize("case", ["no-workers", "2-workers"])
def test_both_stores_hold_the_same(tmp_path: Path, case: str) -> None:
    found = results(worker_memory.PAIR, tmp_path, case)
    assert found["recommended"] == {"letters": 100 * len(path_of(0)), "labels": 99 * 100 // 2}


def test_a_sample_is_the_same_from_either_store() -> None:
    assert AsObjects(1200)[1100] == AsArrays(1200)[1100] == (len(path_of(1100)), 100)
