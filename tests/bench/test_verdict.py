"""From samples made on paper to verdicts."""

import pytest

from bench.claims import Claim, Claims, Promise, Source
from bench.pair import RECOMMENDED
from bench.results import MetricInfo, PointRecord, Run, Values
from bench.stats import Interval
from bench.verdict import Verdict, check_controls, decide, judge_point, judge_run
from tests.bench.runs import ARMS, TIME, at, controls, make_run, timed

THREE_TO_FOUR_TIMES = Promise(metric="time", low=0.25, high=1 / 3, text_en="3-4x faster", text_zh="快 3-4 倍")
ONE_TO_THREE_POINTS = Promise(metric="accuracy", low=-0.03, high=-0.01, text_en="1-3 points", text_zh="1-3 点")
ACCURACY = MetricInfo(
    name="accuracy", kind="accuracy", unit="share", better="higher", comparison="difference", zone=0.01
)


def claim(name: str = "one", **more: object) -> Claim:
    fields = {"topic": "tensors", "source": "G", "section": "1", "metric": "time", "hardware": ("cpu", "cuda")}
    return Claim.model_validate({"id": name, "advice_en": "do", "advice_zh": "做", **fields, **more})


def verdict_of(run: Run, *claims: Claim) -> tuple[Verdict, str]:
    everything = Claims(sources={"G": Source(title_en="g", title_zh="g")}, claim=claims or (claim(),))
    found = judge_run(run, everything)[0]
    return found.verdict, found.why


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (-0.50, -0.40, Verdict.CONFIRMED),
        (-0.01, 0.01, Verdict.NO_EFFECT),
        (0.03, 0.05, Verdict.BACKFIRES),
        (-0.03, -0.01, Verdict.UNCLEAR),
        (-0.05, 0.05, Verdict.UNCLEAR),
    ],
)
def test_an_interval_is_beyond_the_zone_inside_it_or_neither(low: float, high: float, wanted: Verdict) -> None:
    assert decide(Interval((low + high) / 2, low, high, 12), 0.02, TIME, None)[0] is wanted


@pytest.mark.parametrize(
    ("ratio", "wanted"),
    [(0.30, Verdict.CONFIRMED), (0.20, Verdict.CONFIRMED), (0.60, Verdict.WEAKER), (1.0, Verdict.NO_EFFECT)],
)
def test_a_promised_gain_is_confirmed_or_weaker(ratio: float, wanted: Verdict) -> None:
    run = make_run([*controls(), timed(ratio)])
    assert verdict_of(run, claim(promised=(THREE_TO_FOUR_TIMES,)))[0] == wanted


@pytest.mark.parametrize(
    ("loss", "wanted"),
    [(-0.02, Verdict.CONFIRMED), (0.0, Verdict.CONFIRMED), (-0.2, Verdict.BACKFIRES)],
)
def test_an_admitted_loss_is_confirmed_unless_it_is_worse(loss: float, wanted: Verdict) -> None:
    change = Interval(loss, loss - 0.001, loss + 0.001, 5)
    assert decide(change, 0.01, ACCURACY, ONE_TO_THREE_POINTS)[0] is wanted


def test_points_that_disagree_make_the_claim_weaker_and_say_where() -> None:
    run = make_run([*controls(), timed(0.5, point=at(64)), timed(1.0, point=at(1))])
    verdict, why = verdict_of(run)
    assert verdict is Verdict.WEAKER
    assert why == "holds in part: CONFIRMED at one n=64; NO EFFECT at one n=1"


def test_a_point_outside_the_claims_words_decides_nothing() -> None:
    run = make_run([*controls(), timed(0.5, point=at(64)), timed(2.0, point=at(1, outside=True))])
    assert verdict_of(run)[0] is Verdict.CONFIRMED


def test_a_cpu_never_answers_for_a_gpu_claim() -> None:
    verdict, why = verdict_of(make_run([*controls(), timed(0.5)]), claim(hardware=("cuda",)))
    assert verdict is Verdict.NOT_MEASURED
    assert why == "needs CUDA; what was measured here stands beside it"


def test_failed_controls_withhold_timed_verdicts() -> None:
    run = make_run([*controls(same=1.10), timed(0.5)])
    verdict, why = verdict_of(run)
    assert verdict is Verdict.UNCLEAR
    assert why.startswith("withheld, the run's controls failed: controls/same-work: the same work twice came out BACK")


def test_planted_work_that_is_not_found_fails_the_controls() -> None:
    found = check_controls(make_run(controls(planted=1.0)))
    assert found.faults == ("controls/planted-5-percent: planted extra work came out NO EFFECT, wanted BACKFIRES",)


def test_a_run_without_controls_is_withheld() -> None:
    assert verdict_of(make_run([timed(0.5)]))[0] is Verdict.UNCLEAR


def test_resolution_is_the_furthest_end_of_the_same_work_controls() -> None:
    found = check_controls(make_run(controls()))
    assert found.passed
    assert found.resolution is not None
    assert 0 < found.resolution < 0.005


def test_a_lone_narrow_win_among_many_comparisons_does_not_survive() -> None:
    """One point barely beyond the zone is CONFIRMED alone; among 300 comparisons it needs 300 times as much."""
    lone = timed(0.972, spread=0.015)
    assert verdict_of(make_run([*controls(), lone]))[0] is Verdict.CONFIRMED
    others = [timed(1.0, f"tensors/other-{i}", ["other"]) for i in range(300)]
    verdict, why = verdict_of(make_run([*controls(), lone, *others]), claim(), claim("other"))
    assert verdict is Verdict.UNCLEAR
    assert "not among 301 comparisons" in why


def test_broken_and_blocked_points_give_their_reason() -> None:
    broken = PointRecord(pair="tensors/one", claims=["one"], device="cpu", status="broken", reason="died of SIGSEGV")
    blocked = PointRecord(pair="tensors/one", claims=["one"], device="cpu", status="not measured", reason="needs CUDA")
    assert verdict_of(make_run([*controls(), broken])) == (Verdict.BROKEN, "died of SIGSEGV")
    assert verdict_of(make_run([*controls(), blocked])) == (Verdict.NOT_MEASURED, "needs CUDA")
    assert verdict_of(make_run(controls())) == (Verdict.NOT_MEASURED, "no pair measured it in this run")


def scored(anti: list[float | None], recommended: list[float | None], **fields: object) -> PointRecord:
    values = {"gradient": Values(by_arm=dict(zip(ARMS, (anti, recommended), strict=True)))}
    metric = {
        "name": "gradient",
        "kind": "error",
        "unit": "",
        "better": "lower",
        "comparison": "difference",
        "zone": 0.001,
    }
    return timed(1.0).model_copy(
        update={"values": values, "metrics": [MetricInfo.model_validate(metric | fields)], "timing": None}
    )


def only(record: PointRecord) -> tuple[Verdict, str]:
    found = next(j for j in judge_point(record) if j.arm == RECOMMENDED)
    return found.verdict, found.why


def test_scores_are_paired_by_seed() -> None:
    assert only(scored([3.0, 3.0], [0.0, 0.0]))[0] is Verdict.CONFIRMED
    assert only(scored([0.1, 0.9, 0.2, 0.8, 0.5], [0.1, 0.9, 0.2, 0.8, 0.5]))[0] is Verdict.NO_EFFECT


def test_infinite_in_one_arm_only_is_a_verdict() -> None:
    assert only(scored([float("nan")] * 2, [1.0, 1.0])) == (Verdict.CONFIRMED, "not finite in the anti-pattern only")
    assert only(scored([1.0, 1.0], [float("inf")] * 2))[0] is Verdict.BACKFIRES
    assert only(scored([float("inf")] * 2, [float("nan")] * 2))[0] is Verdict.NO_EFFECT


def test_a_ratio_down_to_nothing_is_a_verdict() -> None:
    assert only(scored([64.0, 64.0], [0.0, 0.0], comparison="ratio", unit="B")) == (Verdict.CONFIRMED, "from 64 to 0 B")


def test_missing_values_say_why() -> None:
    record = scored([], [])
    record.values["gradient"].reason = "anti_pattern raises RuntimeError"
    assert only(record) == (Verdict.NOT_MEASURED, "anti_pattern raises RuntimeError")


def test_blocks_in_which_an_arm_lost_its_core_are_left_out_while_two_remain() -> None:
    record = timed(1.0)
    assert record.timing is not None
    for replicate in record.timing.replicates:
        replicate.host["recommended"][:4] = [0.003] * 4
        replicate.preempted = [0, 1, 2, 3]
    assert verdict_of(make_run([*controls(), record]))[0] is Verdict.NO_EFFECT
    for replicate in record.timing.replicates:
        replicate.preempted = [0, 1, 2, 3, 4]
    assert verdict_of(make_run([*controls(), record]))[0] is Verdict.BACKFIRES


# Three seeds of 20 answers each may hide a change of 3.0 / 60, five times the zone; of 2000 answers, 0.05 of it.
@pytest.mark.parametrize(("answers", "wanted"), [(20, Verdict.UNCLEAR), (2000, Verdict.NO_EFFECT)])
def test_a_loss_that_the_test_set_cannot_resolve_is_not_ruled_out(answers: int, wanted: Verdict) -> None:
    metric = MetricInfo(
        name="accuracy", kind="accuracy", unit="share", better="higher", comparison="difference", zone=0.01
    )
    values = Values(by_arm={arm: [0.9, 0.95, 0.85] for arm in ARMS}, of=answers)
    record = timed(1.0, metrics=[metric], values={"accuracy": values}, timing=None)
    (found,) = judge_point(record)
    assert found.verdict is wanted


def test_what_decides_is_judged_alike_without_what_stands_beside_it() -> None:
    run = make_run([*controls(), timed(0.9, point=at(4)), timed(0.5, point=at(8, outside=True))])
    everything = Claims(sources={"G": Source(title_en="g", title_zh="g")}, claim=(claim(),))
    (whole,), (lean,) = judge_run(run, everything), judge_run(run, everything, beside=False)
    assert (lean.verdict, lean.why, lean.deciding) == (whole.verdict, whole.why, whole.deciding)
    assert whole.others
    assert lean.others == ()
