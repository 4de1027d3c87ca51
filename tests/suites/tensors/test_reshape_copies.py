from pathlib import Path

import pytest

from suites.tensors.reshape_copies import PAIR, USES
from tests.suites.points import metrics


# Eight uses: reshape copies at each where no view exists; contiguous() copies once where the layout is wrong.
@pytest.mark.parametrize(
    ("layout", "reshape", "fixed_once", "fixed_each_time"),
    [("transposed", USES, 1, USES), ("contiguous", 0, 0, 0), ("stride-compatible", 0, 1, USES)],
)
def test_reshape_copies_where_no_view_exists(
    tmp_path: Path, layout: str, reshape: int, fixed_once: int, fixed_each_time: int
) -> None:
    found = metrics(PAIR, tmp_path, layout)["copies made"]
    assert found == {
        "anti_pattern": reshape,
        "recommended": fixed_once,
        "contiguous_each_time": fixed_each_time,
    }
