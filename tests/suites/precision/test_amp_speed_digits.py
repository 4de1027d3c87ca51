from pathlib import Path

import pytest

from suites.precision.amp_speed_digits import PAIR
from tests.suites.points import metrics

pytest.importorskip("sklearn")


# Two updates of Adam's rate each, from the same weights: the networks still agree on nearly every digit.
def test_digits_are_learnt_alike_in_half_precision(tmp_path: Path) -> None:
    found = metrics(PAIR, tmp_path, 64)["accuracy"]
    assert max(found.values()) - min(found.values()) < 0.05
