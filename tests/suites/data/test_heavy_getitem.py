from pathlib import Path

import pytest

from suites.data import heavy_getitem
from tests.suites.points import metrics, results, size_of

pytest.importorskip("sklearn")


# A crop is 3 x 224 x 224 bytes, and four times as much as float32; tiny, there are four of them, and a short header.
def test_prepared_samples_are_the_same_and_take_their_place(tmp_path: Path) -> None:
    results(heavy_getitem.PAIR, tmp_path, None)
    jpeg, floats, as_bytes = (size_of(tmp_path, a) for a in ("anti_pattern", "recommended", "prepared_as_bytes"))
    assert floats - jpeg == pytest.approx(4 * 4 * 3 * 224 * 224, abs=256)
    assert as_bytes - jpeg == pytest.approx(4 * 3 * 224 * 224, abs=256)


# Of 33 x 33 places to crop, two epochs seldom draw the same for a sample; prepared, it is always the same.
def test_preparing_a_random_crop_freezes_it(tmp_path: Path) -> None:
    changed = metrics(heavy_getitem.AUGMENTED, tmp_path, "random")["samples that changed"]
    assert changed == {"anti_pattern": 1, "recommended": 0, "random_crop_of_prepared": 1}
