from __future__ import annotations

import re

from report.strip import MARGIN, WIDTH, Strip, svg


def drawn(values: tuple[float, ...], low: float, high: float, zone: float = 0.02) -> str:
    return svg(Strip(values, low, high, zone, "#009E73", 'n "5"'))


# With values from -0.1 to 0.1 the scale reaches 0.1 to either side, so no difference is in the middle.
def test_places_follow_the_values() -> None:
    found = drawn((-0.1, 0.0, 0.1), -0.05, 0.05)
    places = [float(x) for x in re.findall(r"M([\d.]+) 8h0", found)]
    assert places == [MARGIN, WIDTH / 2, WIDTH - MARGIN]
    assert 'aria-label="n &quot;5&quot;"' in found


def test_equal_values_leave_the_zone_in_sight() -> None:
    assert re.findall(r"M([\d.]+) 8h0", drawn((0.0, 0.0), 0.0, 0.0)) == ["110.0", "110.0"]


def test_nothing_finite_draws_nothing() -> None:
    assert drawn((float("inf"),), 0.0, 1.0) == ""
    assert drawn((0.1,), float("-inf"), 1.0) == ""
