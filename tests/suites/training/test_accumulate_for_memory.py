from pathlib import Path

import pytest

from suites.training.accumulate_for_memory import PAIR
from tests.suites.points import metrics


@pytest.mark.parametrize("parts", [2, 4, 16])
def test_accumulation_gives_the_gradient_of_the_whole_batch(tmp_path: Path, parts: int) -> None:
    errors = metrics(PAIR, tmp_path, parts)["gradient error"]
    assert errors == pytest.approx({"anti_pattern": 0, "recommended": 0}, abs=1e-5)
