from __future__ import annotations

import math

import pytest

from bench.measure import LEAST_REPLICATES, seconds_of_blocks
from bench.profiles import QUICK

QUICK_START, SLOW_START = 0.1, 2.0


@pytest.mark.parametrize(("started", "wanted"), [(QUICK_START, QUICK.replicate_s), (SLOW_START, 3.0)])
def test_without_a_budget_blocks_last_longer_than_the_start(started: float, wanted: float) -> None:
    assert seconds_of_blocks(QUICK, started, math.inf) == pytest.approx(wanted)


def test_a_first_look_keeps_to_its_share_of_the_budget() -> None:
    share_s = 14.0
    blocks_s = seconds_of_blocks(QUICK, SLOW_START, share_s)
    assert LEAST_REPLICATES * (SLOW_START + blocks_s) == pytest.approx(share_s)


@pytest.mark.parametrize("share_s", [1.0, 0.0, -5.0])
def test_a_share_that_is_used_up_leaves_blocks_of_half_the_start(share_s: float) -> None:
    assert seconds_of_blocks(QUICK, SLOW_START, share_s) == pytest.approx(SLOW_START / 2)
