import time
from pathlib import Path
from typing import Any

import pytest

from bench import exactly, loss
from bench import time as time_metric
from bench.claims import Claim, Promise
from bench.collect import Declared
from bench.needs import Here, missing
from bench.pair import Axis, Needs, Pair, PointValue
from bench.plan import Budget, Planned, parse_budget, plan_point, with_controls

HERE = Here(cores=2, gpus=0, memory_gib=8.0)


@pytest.mark.parametrize(("text", "seconds"), [("90", 90), ("90s", 90), ("8m", 480), ("1.5h", 5400), (" 2m ", 120)])
def test_budget_is_read(text: str, seconds: float) -> None:
    assert parse_budget(text) == seconds


@pytest.mark.parametrize("text", ["", "8 minutes", "-3m", "0", "m", "nan"])
def test_what_is_no_budget_is_told_how_to_write_one(text: str) -> None:
    with pytest.raises(ValueError, match="write it like 90s, 8m or"):
        parse_budget(text)


def test_a_point_gets_its_part_of_what_is_left_by_weight() -> None:
    budget = Budget(100.0, time.monotonic())
    assert budget.share(1, 10) - time.monotonic() == pytest.approx(10, abs=0.5)
    assert budget.share(3, 10) - time.monotonic() == pytest.approx(30, abs=0.5)
    assert budget.share(5, 5) - time.monotonic() == pytest.approx(100, abs=0.5)
    assert budget.refuses(5) is None


CLAIM = Claim(
    id="one", topic="t", source="G", section="1", metric="time", hardware=["cuda"], advice_en="a", advice_zh="a"
)


def planned(claim: Claim, value: PointValue | None = 1, **options: Any) -> Planned:
    axis = Axis("n", full=(1,), outside=(2,))
    pair = Pair(
        claims=("one",),
        inputs=lambda setup: None,
        anti_pattern=lambda inputs: lambda: None,
        recommended=lambda inputs: lambda: None,
        same=exactly,
        axis=axis,
        **{"metrics": (time_metric,), **options},
    )
    declared = Declared(pair=pair, id="t/one", file=Path("one.py"), line=1)
    return plan_point(declared, value, "cpu", HERE, {"one": claim})


def test_a_clock_decides_where_the_claim_is_about_time_on_this_device_and_inside_its_words() -> None:
    here = CLAIM.model_copy(update={"hardware": ["cpu"]})
    assert planned(here).decides
    assert not planned(CLAIM).decides
    assert not planned(here, value=2).decides
    assert not planned(here.model_copy(update={"metric": "peak_memory"})).decides


def test_a_point_knows_the_least_that_is_promised_of_its_time() -> None:
    promise = Promise(metric="time", low=0.25, high=1 / 3, text_en="3-4 times", text_zh="3-4")
    here = CLAIM.model_copy(update={"hardware": ["cpu"], "promised": (promise,)})
    assert planned(here).promised == 1 / 3
    assert planned(here, value=2).promised is None
    assert planned(CLAIM).promised is None


def test_what_decides_gets_most_of_a_budget_and_what_is_read_its_seeds() -> None:
    here = CLAIM.model_copy(update={"hardware": ["cpu"]})
    decides, beside = planned(here), planned(CLAIM)
    assert decides.weight > 3 * beside.weight
    read = [planned(here, metrics=(loss(lambda r: r),), seeds=n).weight for n in (5, 10)]
    assert read[1] == pytest.approx(2 * read[0])
    assert planned(here, needs=Needs(cuda=True)).weight == 0


def test_what_needs_no_clock_comes_first_and_the_controls_stand_around_the_rest() -> None:
    timed, read = planned(CLAIM), planned(CLAIM, metrics=(loss(lambda r: r),))
    order = with_controls([timed, read, timed, read], "cpu")
    roles = ["clock" if p is timed else "read" if p is read else p.turn for p in order]
    assert roles == ["read", "read", ":before", ":before", "clock", ":amid", "clock", ":after", ":after"]


def test_spent_budget_refuses_with_numbers() -> None:
    told = Budget(100.0, time.monotonic() - 100).refuses(7)
    assert told == "budget: 0 s left of 100 s, 7 points not measured"


def test_no_budget_never_refuses() -> None:
    assert Budget(None, time.monotonic() - 1e6).refuses(7) is None


def test_points_outside_the_claim_come_last_and_not_in_smoke() -> None:
    axis = Axis("n", full=(1, 2, 4), quick=(1, 4), outside=("odd",))
    assert axis.points("full") == (1, 2, 4, "odd")
    assert axis.points("quick") == (1, 4, "odd")
    assert axis.points("smoke") == (1,)


@pytest.mark.parametrize(
    ("needs", "told"),
    [
        (Needs(), None),
        (Needs(cuda=True), "needs CUDA"),
        (Needs(gpus=2), "needs 2 GPUs, found 0"),
        (Needs(cores=4), "needs 4 cores, found 2"),
        (Needs(memory_gib=16), "needs 16 GiB of memory, found 8.0"),
        (Needs(packages=("nowhere_to_be_found",)), "needs nowhere_to_be_found: pip install nowhere_to_be_found"),
    ],
)
def test_what_is_missing_is_told_with_both_numbers(needs: Needs, told: str | None) -> None:
    assert missing(needs, "cpu", HERE) == told


def test_packages_are_named_as_pip_knows_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert missing(Needs(packages=("sklearn",)), "cpu", HERE) == "needs sklearn: pip install scikit-learn"
