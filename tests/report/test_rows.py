from __future__ import annotations

from collections.abc import Callable

import pytest

from bench.claims import Claims
from bench.results import PointRecord, Run
from bench.verdict import Verdict
from report.rows import ClaimRow, command, marked_samples, promised_text
from report.view import look
from report.words import words_of


@pytest.fixture(scope="module")
def rows(run: Run, claims: Claims) -> dict[str, ClaimRow]:
    return {c.id: c for c in look(run, claims).claims}


def test_every_kind_of_verdict_occurs(rows: dict[str, ClaimRow]) -> None:
    assert {i: r.verdict.value for i, r in rows.items()} == {
        "reshape-copies": "CONFIRMED",
        "amp-faster": "WEAKER",
        "set-to-none": "NO EFFECT",
        "more-workers": "BACKFIRES",
        "benchmark-flag": "UNCLEAR",
        "checkpoint-memory": "CONFIRMED",
        "smoothing-accuracy": "CONFIRMED",
        "second-backward": "CONFIRMED",
        "device-hops": "NOT MEASURED",
        "pinned-memory": "NOT MEASURED",
        "quantise": "BROKEN",
    }


def test_what_does_not_decide_says_why(rows: dict[str, ClaimRow]) -> None:
    beside = {(j.where, j.arm, j.metric): j.beside for r in rows.values() for j in r.beside}
    assert beside["rows=contiguous", "recommended", "time"] == "a point outside the claim's words"
    assert beside["rows=4096", "contiguous inside", "time"] == "a variant arm"
    assert [j.beside for j in rows["device-hops"].beside] == ["measured on cpu, the claim is about cuda"]
    assert [j.beside for j in rows["checkpoint-memory"].beside] == ["not the claim's own metric"]
    assert not [j for r in rows.values() for j in r.deciding if j.beside]


def test_levels_gains_and_promises_are_on_the_shown_scale(rows: dict[str, ClaimRow]) -> None:
    (memory,) = rows["checkpoint-memory"].deciding
    assert memory.levels == ("191 MiB", "132 MiB")
    assert memory.promised == pytest.approx((1 / 0.7, 2.0))
    (workers,) = rows["more-workers"].deciding
    assert workers.gain is not None
    assert workers.gain[0] == pytest.approx(1 / 1.3, rel=0.02)
    (outcome,) = rows["second-backward"].deciding
    assert outcome.told == "anti-pattern raises RuntimeError; recommended returns"
    assert outcome.gain is None


def test_records_keep_outcomes_warnings_and_last_words(rows: dict[str, ClaimRow]) -> None:
    assert rows["second-backward"].records[0].outcomes == (
        ("anti-pattern", "raises RuntimeError ×2"),
        ("recommended", "returns ×2"),
    )
    assert rows["reshape-copies"].records[1].warnings[0][0] == "anti-pattern"
    assert rows["quantise"].records[0].said[-1] == "ImportError: no torchao"
    assert rows["set-to-none"].records[0].evidence.startswith("12 replicates, 60 steps a sample, 3.5 s; ")


def test_promises(claims: Claims) -> None:
    known = claims.by_id()
    assert promised_text(known["set-to-none"], words_of("en")) == "no number"
    assert promised_text(known["checkpoint-memory"], words_of("en")) == "30-50 % less"
    assert promised_text(known["amp-faster"], words_of("zh")) == "快 2-3 倍"
    other = known["amp-faster"].model_copy(update={"metric": "accuracy"})
    assert promised_text(other, words_of("en")) == "time: 2-3 times faster"


def test_the_command_measures_the_same_pairs(
    make_run: Callable[..., Run], make_record: Callable[..., PointRecord], claims: Claims
) -> None:
    claim = claims.by_id()["amp-faster"]
    records = [make_record(f"numerics/{n}", "amp-faster", 1.0, seed=1) for n in ("amp-train", "amp-infer", "amp-train")]
    assert command(make_run(), claim, records) == 'pytest --benchmark -k "amp-train or amp-infer"'
    full = make_run(profile="full")
    hostile = [
        make_record('x/"; rm -rf ~ #', "amp-faster", 1.0, seed=1),
        make_record("x/not", "amp-faster", 1.0, seed=1),
    ]
    assert command(full, claim, hostile) == 'pytest --benchmark --profile full -k "amp-faster"'


def test_contaminated_samples_are_counted_on_one_core_only(make_record: Callable[..., PointRecord]) -> None:
    record = make_record("a/b", "amp-faster", 1.0, seed=1)
    bad, samples = marked_samples([record])
    assert samples == 12 * 2 * 6
    assert 0 < bad < 20
    assert record.timing is not None
    record.timing.cores = [0, 1]
    assert marked_samples([record]) == (0, 0)


def test_failed_controls_withhold_verdicts_on_time(
    make_run: Callable[..., Run],
    make_controls: Callable[..., list[PointRecord]],
    make_pairs: Callable[[], list[PointRecord]],
    claims: Claims,
) -> None:
    view = look(make_run(points=[*make_pairs(), *make_controls(same=1.2)]), claims)
    rows = {c.id: c for c in view.claims}
    assert rows["reshape-copies"].verdict is Verdict.UNCLEAR
    assert rows["reshape-copies"].why.startswith("withheld")
    assert rows["smoothing-accuracy"].verdict is Verdict.CONFIRMED
    assert not view.facts.controls.passed
    assert "withheld" in view.facts.cautions[0]
    without = look(make_run(points=make_pairs()), claims)
    assert "no control was measured" in without.facts.cautions[0]


def test_run_level_facts(run: Run, make_run: Callable[..., Run], claims: Claims) -> None:
    view = look(run, claims)
    assert view.facts.headline.startswith("11 claims have a pair in this run: 4 CONFIRMED, 1 WEAKER")
    assert view.facts.cautions == ()
    assert view.facts.controls.sentence.startswith("This run can tell 0.")
    assert "8 min 4 s from start to end" in view.facts.took
    assert view.without_pair == ("nobody-measures-me",)
    assert [r.id for r in view.absent] == ["transfer/pinned-memory", "deploy/quantise"]
    assert len(view.facts.method) == 10
    assert not [s for s in view.facts.method if "{" in s]
    noise = dict(view.facts.noise)
    assert noise["CPU time kept by the hypervisor"] == "1 % to 1 %, median 1 %"
    poor = look(make_run(finished=None, profile="smoke", started="yesterday"), claims)
    assert len(poor.facts.cautions) == 3
    assert "from start to end" not in poor.facts.took


def test_a_pair_of_an_unknown_claim_is_not_lost(
    make_run: Callable[..., Run], make_record: Callable[..., PointRecord], claims: Claims
) -> None:
    view = look(make_run(points=[make_record("a/b", "gone", 1.0, seed=1)]), claims)
    assert [r.id for r in view.strays] == ["a/b"]
    assert view.facts.headline == "This run has no pair for any claim."
