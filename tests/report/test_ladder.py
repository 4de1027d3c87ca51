from __future__ import annotations

from collections.abc import Callable

import pytest

from bench.results import PointRecord, Run
from report.ladder import Ladder, chart, ladders
from report.words import words_of

EN = words_of("en")


@pytest.fixture
def ladder(make_run: Callable[..., Run], make_record: Callable[..., PointRecord]) -> Ladder:
    """Workers halve the time, a log changes nothing, and the last practice takes another fifth."""
    times = {"with_workers": 0.5, "with_log": 0.5, "without_workers": 0.8, "without_log": 0.4}
    record = make_record("macro/ladder", "all-advice", 0.4, seed=3, sd=0.002, variants=times)
    record.ladder, record.ladder_top = ["with_workers", "with_log", "recommended"], "fused"
    (found,) = ladders(make_run(points=[record]), EN)
    return found


def test_each_step_is_compared_with_the_one_before(ladder: Ladder) -> None:
    assert [s.practice for s in ladder.steps] == ["workers", "log", "fused"]
    assert [s.step_word for s in ladder.steps] == ["CONFIRMED", "NO EFFECT", "CONFIRMED"]
    assert [round(s.gain[0], 1) for s in ladder.steps if s.gain] == [2.0, 2.0, 2.5]
    assert ladder.steps[2].step.startswith("1.25")


def test_the_last_column_is_the_whole_against_the_whole_without_it(ladder: Ladder) -> None:
    assert ladder.steps[0].without.startswith("2.0")
    assert ladder.steps[1].without.startswith("1.00")
    assert ladder.steps[2].without.startswith("1.25")


def test_the_chart_carries_its_numbers_as_text(ladder: Ladder) -> None:
    svg = chart(ladder, "ladder-0", EN)
    assert "+ workers" in svg
    assert "all anti-patterns" in svg
    assert f"workers: {ladder.steps[0].step}" in svg


def test_a_run_without_a_ladder_has_none(run: Run) -> None:
    assert ladders(run, EN) == ()
