from pathlib import Path

import pytest

from suites.data.data_checks_cost import PAIR
from tests.suites.points import metrics

pytest.importorskip("sklearn")


def test_the_clean_digits_raise_no_alarm(tmp_path: Path) -> None:
    assert set(metrics(PAIR, tmp_path, "clean")["false alarms"].values()) == {0}
