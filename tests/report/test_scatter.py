from __future__ import annotations

from collections.abc import Callable

from bench.claims import Claims
from bench.results import MetricInfo, PointRecord, Run, Values
from report.scatter import chart, dots
from report.view import look
from report.words import words_of

SIZE = MetricInfo(name="size on disk", kind="size", unit="B", better="lower", comparison="ratio", zone=0.02)
TIME = MetricInfo(name="time", kind="time", unit="s", better="lower", comparison="ratio", zone=0.02)


# A quarter of the size in half the time is 4 times smaller and 2 times faster.
def test_a_method_is_a_dot(
    make_run: Callable[..., Run], make_record: Callable[..., PointRecord], claims: Claims
) -> None:
    sizes = Values(by_arm={"anti_pattern": [400.0] * 5, "recommended": [100.0] * 5})
    record = make_record(
        "deploy/quantise", "quantise", 0.5, seed=1, sd=0.001, metrics=[TIME, SIZE], values={"size on disk": sizes}
    )
    (dot,) = dots(look(make_run(points=[record]), claims).claims)
    assert (round(dot.smaller, 2), round(dot.faster, 1)) == (4.0, 2.0)
    svg = chart([dot], words_of("en"))
    assert "1: quantise, recommended: 4.00× smaller, 2.0" in svg


def test_nothing_deployed_draws_nothing(run: Run, claims: Claims) -> None:
    assert dots(look(run, claims).claims) == []
    assert chart([], words_of("en")) == ""
