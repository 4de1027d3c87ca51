from pathlib import Path

import pytest

from suites.training import accumulate_batchnorm
from tests.suites.points import metrics

pytest.importorskip("sklearn")


def errors(folder: Path, parts: int) -> dict[str, float]:
    return metrics(accumulate_batchnorm.PAIR, folder, parts)["gradient error"]


# A mean over samples that are treated one by one may be split anywhere: rounding is all that is left.
@pytest.mark.parametrize("parts", [2, 8])
def test_only_batch_norm_knows_its_batch(tmp_path: Path, parts: int) -> None:
    found = errors(tmp_path, parts)
    assert found["anti_pattern"] > 0.05
    assert found["recommended"] == pytest.approx(0, abs=1e-4)
    assert found["frozen_batch_norm"] == pytest.approx(0, abs=1e-4)


def test_smaller_parts_are_further_off(tmp_path: Path) -> None:
    found = [errors(tmp_path, parts)["anti_pattern"] for parts in (1, 2, 8)]
    assert found == sorted(found)
    assert found[0] == 0
