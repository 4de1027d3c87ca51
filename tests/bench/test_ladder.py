"""Rungs against the rung before, and the whole against the whole less one, on paper."""

import math

import pytest

from bench.ladder import rungs, without
from bench.results import PointRecord, Replicate, Timing
from tests.bench.runs import TIME, timed

TIMES = {"anti_pattern": 8.0, "recommended": 1.0, "with_a": 4.0, "with_b": 2.0, "without_a": 3.0}


def ladder() -> PointRecord:
    replicate = Replicate(first=TIMES, host={arm: [t] * 3 for arm, t in TIMES.items()})
    timing = Timing(inner=1, replicates=[replicate] * 6)
    return timed(1.0, arms=list(TIMES), timing=timing, ladder=["with_a", "with_b", "recommended"])


def test_a_rung_adds_to_the_rung_before() -> None:
    found = rungs(ladder(), TIME)
    assert [r.arm for r in found] == ["with_a", "with_b", "recommended"]
    steps = [r.step.change.estimate for r in found if r.step.change]
    totals = [r.total.change.estimate for r in found if r.total.change]
    assert steps == pytest.approx([-math.log(2)] * 3)
    assert totals == pytest.approx([-math.log(2), -math.log(4), -math.log(8)])


def test_the_whole_is_compared_with_the_whole_less_one() -> None:
    (lost,) = without(ladder(), TIME)
    assert lost.change is not None
    assert lost.change.estimate == pytest.approx(-math.log(3))


def test_a_point_without_a_ladder_has_no_rungs() -> None:
    assert rungs(timed(0.5), TIME) == without(timed(0.5), TIME) == []
