"""What several runs say of a verdict's staying; measuring them is a benchmark, not a test."""

import csv
import io
import math

from bench.claims import Claim, Claims, Source
from bench.repeat import Stability, agreement, stability, to_csv, to_text
from bench.results import MetricInfo, PointRecord, Run, Values
from bench.verdict import Verdict
from tests.bench.runs import ARMS, TIME, controls, make_run, timed

CLOCK = TIME.model_copy(update={"exact": False})
COUNT = MetricInfo(name="copies", kind="count", unit="", better="lower", comparison="difference", zone=0.5)
CLAIMS = Claims(
    sources={"G": Source(title_en="g", title_zh="g")},
    claim=[
        Claim(
            id="one", topic="t", source="G", section="1", metric="time", hardware=["cpu"], advice_en="a", advice_zh="a"
        )
    ],
)


def counted(copies: float) -> PointRecord:
    values = Values(by_arm=dict(zip(ARMS, ([3.0, 3.0], [copies, copies]), strict=True)))
    return timed(0.5, "tensors/counted", values={"copies": values}, metrics=[COUNT], timing=None)


def run_of(ratio: float, copies: float = 1.0) -> Run:
    return make_run([*controls(), timed(ratio, metrics=[CLOCK]), counted(copies)])


def test_a_verdict_that_stays_in_three_runs_of_four() -> None:
    found = stability([run_of(r) for r in (0.5, 0.5, 1.0, 0.5)], CLAIMS)
    claim, copies, time = found
    assert (claim.level, claim.stayed, claim.clocked) == ("claim", 0.75, True)
    assert (time.level, time.stayed, time.flips, time.exact) == ("deciding", 0.75, False, False)
    assert (copies.level, copies.stayed, copies.exact, copies.values_differ) == ("beside", 1.0, True, False)
    assert agreement([time, copies]) == 0.875
    assert "1 deciding verdicts on time: 75.0 % agree" in to_text(found, 4)


def test_a_flip_and_an_exact_value_that_moved_are_named() -> None:
    found = stability([run_of(0.5), run_of(2.0, copies=2.0)], CLAIMS)
    claim, copies, time = found
    assert claim.verdicts == time.verdicts
    assert time.verdicts == (Verdict.CONFIRMED, Verdict.BACKFIRES)
    assert time.flips
    assert copies.values_differ
    told = to_text(found, 2)
    assert "tensors/counted copies: CONFIRMED, CONFIRMED (exact, and its values differ)" in told
    assert "2 flip between" in told
    assert "1 of other values" in told


def test_seeds_that_a_budget_left_out_are_no_other_value_and_nan_is_itself() -> None:
    values = [[1.0, math.nan, 3.0], [1.0, math.nan], [1.0, math.nan, 4.0]]
    runs = [
        make_run([counted(1.0).model_copy(update={"values": {"copies": Values(by_arm=dict.fromkeys(ARMS, v))}})])
        for v in values
    ]
    assert not stability(runs[:2], CLAIMS)[1].values_differ
    assert stability(runs, CLAIMS)[1].values_differ


def test_unclear_once_in_five_runs_is_borne_and_twice_is_not() -> None:
    once = (Verdict.UNCLEAR, *[Verdict.CONFIRMED] * 4)
    assert not Stability("one", once).too_unclear
    assert Stability("one", (Verdict.UNCLEAR, *once[:-1])).too_unclear


def test_every_line_of_the_table_has_its_verdicts_in_the_runs_order() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(stability([run_of(0.5), run_of(1.0)], CLAIMS)))))
    assert [(r["level"], r["name"], r["metric"]) for r in rows] == [
        ("claim", "one", ""),
        ("beside", "tensors/counted", "copies"),
        ("deciding", "tensors/one", "time"),
    ]
    assert rows[2] | {"level": ""} == {
        "level": "",
        "name": "tensors/one",
        "metric": "time",
        "clocked": "1",
        "exact": "0",
        "stayed": "0.50",
        "verdicts": "CONFIRMED, NO EFFECT",
    }
