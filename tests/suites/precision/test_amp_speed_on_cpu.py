from pathlib import Path

import pytest

from suites.precision.amp_speed_on_cpu import PAIR
from tests.suites.points import results


@pytest.mark.parametrize("case", ["dense-small-batch", "dense-middle-batch"])
def test_bfloat16_trains_alike_on_the_cpu(tmp_path: Path, case: str) -> None:
    results(PAIR, tmp_path, case)
