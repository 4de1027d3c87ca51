from pathlib import Path

import pytest

from suites.data import stateless_getitem
from tests.suites.points import metrics

AGAIN, NEVER, ONCE_MORE = "samples that arrive again", "samples that never arrive", "samples loaded once more"


# 16 samples, two workers. Positions: both count from 0 to 7, so 8 samples arrive twice and the other 8 never. A cache
# in the workers ends with them, so the second of two epochs loads all again. A stream that is not cut arrives twice.
@pytest.mark.parametrize(
    ("case", "again", "never", "once_more"),
    [
        ("position", 8, 8, 0),
        ("position-without-workers", 0, 0, 0),
        ("cache", 0, 0, 1),
        ("cache-without-workers", 0, 0, 0),
        ("stream", 16, 0, 1),
    ],
)
def test_what_state_does(tmp_path: Path, case: str, again: int, never: int, once_more: float) -> None:
    found = metrics(stateless_getitem.PAIR, tmp_path, case)
    assert {name: values["anti_pattern"] for name, values in found.items()} == {
        AGAIN: again,
        NEVER: never,
        ONCE_MORE: once_more,
    }
    assert [values["recommended"] for values in found.values()] == [0, 0, 0]
