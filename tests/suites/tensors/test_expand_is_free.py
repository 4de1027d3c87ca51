from pathlib import Path

import pytest

from suites.tensors.expand_is_free import PAIR
from tests.suites.points import results


@pytest.mark.parametrize("use", ["added", "written-out"])
def test_expanding_gives_what_repeating_gives(tmp_path: Path, use: str) -> None:
    results(PAIR, tmp_path, use)
