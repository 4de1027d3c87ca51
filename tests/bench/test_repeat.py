"""What several runs say of a verdict's staying; measuring them is a benchmark, not a test."""

from bench.claims import Claim, Claims, Source
from bench.repeat import agreement, stability, to_text
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
    time, copies = found
    assert (time.stayed, time.flips, time.exact) == (0.75, False, False)
    assert (copies.stayed, copies.exact, copies.values_differ) == (1.0, True, False)
    assert agreement(found) == 0.875
    assert "1 timed verdicts: 75.0 % agree" in to_text(found, 4)


def test_a_flip_and_an_exact_value_that_moved_are_named() -> None:
    found = stability([run_of(0.5), run_of(2.0, copies=2.0)], CLAIMS)
    time, copies = found
    assert time.verdicts == (Verdict.CONFIRMED, Verdict.BACKFIRES)
    assert time.flips
    assert copies.values_differ
    told = to_text(found, 2)
    assert "tensors/counted copies: CONFIRMED, CONFIRMED (exact, and its values differ)" in told
    assert "1 flip between" in told
    assert "1 of other values" in told
