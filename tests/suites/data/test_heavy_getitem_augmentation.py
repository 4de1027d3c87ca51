from pathlib import Path

import pytest

from suites.data.heavy_getitem_augmentation import PAIR
from tests.suites.points import metrics

pytest.importorskip("sklearn")


# Of 33 x 33 places to crop, two epochs seldom draw the same for a sample; prepared, it is always the same.
def test_preparing_a_random_crop_freezes_it(tmp_path: Path) -> None:
    changed = metrics(PAIR, tmp_path, "random")["samples that changed"]
    assert changed == {"anti_pattern": 1, "recommended": 0, "random_crop_of_prepared": 1}
