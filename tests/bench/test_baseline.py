"""``--baseline``: the run it means, and what it says of the one just measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import store
from bench.baseline import NEWEST, BaselineError, changes, read_baseline
from bench.claims import read_claims
from bench.collect import CLAIMS_FILE
from bench.results import Run
from tests.bench.checkout import Checkout
from tests.bench.runs import controls, make_run, timed


def run_with(ratio: float, **fields: object) -> Run:
    points = [*controls(), timed(ratio, claims=["reshape-copies"])]
    return make_run(points).model_copy(update={"finished": "2026-01-01T00:09:00+00:00", **fields})


def test_the_newest_is_the_last_finished_run_of_the_whole_suite(tmp_path: Path) -> None:
    whole = run_with(0.5)
    later = [
        run_with(0.5, id="20260102T000000-abc", partial=True),
        run_with(0.5, id="20260103T000000-abc", finished=None),
    ]
    for run in (whole, *later):
        store.write(run, store.path_of(run, tmp_path))
    assert read_baseline(NEWEST, "box", tmp_path) == whole
    assert read_baseline(str(store.path_of(later[0], tmp_path).parent), "other", tmp_path).id == later[0].id
    with pytest.raises(BaselineError, match=r"no finished run of the whole suite under .*other; name one"):
        read_baseline(NEWEST, "other", tmp_path)
    with pytest.raises(BaselineError, match="cannot be read"):
        read_baseline(str(tmp_path / "none.json"), "box", tmp_path)


def test_what_changed_is_told_or_why_it_cannot_be() -> None:
    claims = read_claims(CLAIMS_FILE)
    told = changes(run_with(0.5), run_with(0.6, id="20260102T000000-abc", partial=True), claims)
    assert told[0].startswith("20260101T000000-abc against 20260102T000000-abc: 1 of 1 measurements moved")
    assert "tensors/one time: 20.0 %" in told[1]
    hostile = run_with(0.5, device="\x1b[31mcuda")
    assert changes(hostile, run_with(0.5), claims) == [
        "20260101T000000-abc cannot be compared with 20260101T000000-abc: 20260101T000000-abc ran on  [31mcuda,"
        " 20260101T000000-abc on cpu"
    ]


@pytest.mark.slow
def test_a_measuring_run_ends_with_the_comparison(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path)
    checkout.practice("good")
    checkout.practice("other")
    smoke = ("pytest", "--benchmark", "--profile", "smoke")
    code, told = checkout.run(*smoke, "--baseline")
    assert code != 0
    assert "--baseline: no finished run of the whole suite under" in told
    base = run_with(0.5)
    store.write(base, tmp_path / "base" / "run.json")
    code, told = checkout.run(*smoke, "-k", "good", f"--baseline={tmp_path / 'base'}")
    assert code == 0, told
    assert f"cannot be compared with {base.id}: the controls of" in told
    (run,) = checkout.runs()
    assert [p.pair for p in run.points if p.role == "pair"] == ["tensors/good"]
