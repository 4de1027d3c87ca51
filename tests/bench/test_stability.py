"""What several runs say of a verdict's staying; measuring them is a benchmark, not a test."""

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from bench.claims import Claim, Claims, Source
from bench.results import MetricInfo, PointRecord, Run, Values
from bench.stability import Stability, agreement, compare_runs, read, to_csv, to_text
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
    series = compare_runs([run_of(r) for r in (0.5, 0.5, 1.0, 0.5)], CLAIMS, load=0)
    claim, copies, time = series.found
    assert (claim.level, claim.name, claim.stayed, claim.clocked) == ("claim", "one", 0.75, True)
    assert (time.level, time.stayed, time.flips, time.exact) == ("deciding", 0.75, False, False)
    assert (copies.level, copies.stayed, copies.exact, copies.kept) == ("beside", 1.0, True, True)
    assert agreement([time, copies]) == 0.875
    assert series.moved == [claim, time]
    told = to_text(series)
    assert "deciding  tensors/one time: CONFIRMED, CONFIRMED, NO EFFECT, CONFIRMED" in told
    assert "4 runs of box" in told
    assert "1 deciding verdicts on time: 75.0 % agree" in told


def test_a_flip_and_an_exact_value_that_moved_are_named() -> None:
    series = compare_runs([run_of(0.5), run_of(2.0, copies=2.0)], CLAIMS, load=0)
    claim, copies, time = series.found
    assert claim.verdicts == time.verdicts == (Verdict.CONFIRMED, Verdict.BACKFIRES)
    assert time.flips
    assert copies.values_differ
    told = to_text(series)
    assert "tensors/counted copies: CONFIRMED, CONFIRMED (exact, and its values differ)" in told
    assert "2 flip between" in told
    assert "1 of other values" in told


def test_seeds_that_a_budget_left_out_are_no_other_value_and_nan_is_itself() -> None:
    values = [[1.0, math.nan, 3.0], [1.0, math.nan], [1.0, math.nan, 4.0]]
    runs = [
        make_run([counted(1.0).model_copy(update={"values": {"copies": Values(by_arm=dict.fromkeys(ARMS, v))}})])
        for v in values
    ]
    assert not compare_runs(runs[:2], CLAIMS, load=0).found[1].values_differ
    assert compare_runs(runs, CLAIMS, load=0).found[1].values_differ


def test_unclear_once_in_five_runs_is_borne_and_twice_is_not() -> None:
    once = Stability("claim", "one", "", True, False, False, (Verdict.UNCLEAR, *[Verdict.CONFIRMED] * 4))
    assert not once.too_unclear
    assert replace(once, verdicts=(Verdict.UNCLEAR, *once.verdicts[:-1])).too_unclear


def test_the_table_is_read_as_it_was_written() -> None:
    series = compare_runs([run_of(0.5), run_of(1.0, copies=2.0)], CLAIMS, load=1)
    assert to_csv(series).splitlines()[1] == 'box,1,claim,one,,1,0,0,"CONFIRMED, NO EFFECT"'
    assert read(to_csv(series)) == series
    assert read(to_csv(series)).runs == 2


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda text: text.replace("box,1,beside", "other,1,beside"), "2 machines"),
        (lambda text: text.replace("NO EFFECT", "MAYBE"), "verdicts"),
        (lambda text: text.replace('"CONFIRMED, NO EFFECT"', "CONFIRMED"), "same number of verdicts"),
        (lambda text: text.replace("box,1,", "box,many,"), "integer"),
        (lambda text: text.partition("\n")[2], "0 machines|None|required"),
        (lambda text: "", "0 machines"),
    ],
)
def test_another_table_is_refused(damage: Callable[[str], str], told: str) -> None:
    text = to_csv(compare_runs([run_of(0.5), run_of(1.0)], CLAIMS, load=1))
    with pytest.raises(ValueError, match=told):
        read(damage(text))
