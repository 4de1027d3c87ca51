from pathlib import Path

import pytest

from suites.data.prefetch_factor_without_workers import PAIR
from tests.suites.points import build


def test_without_workers_the_loader_refuses_the_setting(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="num_workers > 0"):
        build(PAIR, tmp_path, 0, "recommended")()
    build(PAIR, tmp_path, 0, "anti_pattern")()
