from __future__ import annotations

from collections.abc import Callable

from bench.results import PointRecord, Run, Traces
from report.curves import chart, curves, last_of
from report.words import words_of

ENGLISH = words_of("en")


def traced(make_record: Callable[..., PointRecord], **by_arm: list[list[float | None]]) -> PointRecord:
    traces = {"<b>seen": Traces(x_name="steps $x$", unit="share", x=[10, 20], by_arm=by_arm)}
    return make_record("training/rates", "set-to-none", 1.0, seed=1, traces=traces)


def test_a_line_is_the_median_over_seeds_in_its_range(
    make_run: Callable[..., Run], make_record: Callable[..., PointRecord]
) -> None:
    record = traced(make_record, anti_pattern=[[0.1, 0.5], [0.3, 0.9], [0.2, 0.6]])
    (shown,) = curves(make_run(points=[record]), ENGLISH)
    (arm,) = shown.arms
    assert (arm.low, arm.median, arm.high) == ((0.1, 0.5), (0.2, 0.6), (0.3, 0.9))
    assert (shown.seeds, last_of(arm)) == (3, "anti-pattern: 0.6 [0.5, 0.9]")
    svg = chart(shown, "curves-0", ENGLISH)
    assert "anti-pattern: 0.6 [0.5, 0.9]" in svg
    assert "<b>" not in svg
    assert svg == chart(shown, "curves-0", ENGLISH)


def test_an_arm_without_a_number_has_no_line(
    make_run: Callable[..., Run], make_record: Callable[..., PointRecord]
) -> None:
    record = traced(make_record, anti_pattern=[[0.1, None]], recommended=[[0.1, float("inf")]])
    assert curves(make_run(points=[record]), ENGLISH) == ()
