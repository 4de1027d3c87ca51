from pathlib import Path

import pytest

from suites.data.heavy_getitem import PAIR
from tests.suites.points import results, size_of

pytest.importorskip("sklearn")


# A crop is 3 x 224 x 224 bytes, and four times as much as float32; tiny, there are four of them, and a short header.
def test_prepared_samples_are_the_same_and_take_their_place(tmp_path: Path) -> None:
    results(PAIR, tmp_path, None)
    jpeg, floats, as_bytes = (size_of(tmp_path, a) for a in ("anti_pattern", "recommended", "prepared_as_bytes"))
    assert floats - jpeg == pytest.approx(4 * 4 * 3 * 224 * 224, abs=256)
    assert as_bytes - jpeg == pytest.approx(4 * 3 * 224 * 224, abs=256)
