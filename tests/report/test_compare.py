"""Two runs compared: unchanged ones stay silent, a planted slowdown is found and named, differences come first."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bench.claims import Claims
from bench.results import Environment, PointRecord, Run
from report.__main__ import main
from report.compare import IncomparableError, compare, exit_code
from report.compare_outputs import as_json, as_markdown, as_text

MakeRun = Callable[..., Run]
MakeRecord = Callable[..., PointRecord]
MakeControls = Callable[..., list[PointRecord]]


@pytest.fixture
def series(make_run: MakeRun, make_record: MakeRecord, make_controls: MakeControls) -> Callable[..., Run]:
    """``series(seed, slower=1.0)``: thirty pairs, whose runs differ by noise; one recommended arm may be ``slower``."""

    def run(seed: int, slower: float = 1.0, sd: float = 0.01, **fields: object) -> Run:
        points = []
        for i in range(30):
            ratio = (0.5 + i / 30) * (slower if i == 7 else 1.0)
            points.append(make_record(f"tensors/pair-{i}", "reshape-copies", ratio, seed=1000 * seed + i, sd=sd))
        return make_run(id=f"run-{seed}", points=[*make_controls(), *points], **fields)

    return run


def test_a_slower_arm_is_found_named_and_fails_the_guard(series: Callable[..., Run], claims: Claims) -> None:
    found = compare(series(1), series(2, slower=1.1), claims)
    (shift,) = found.changed
    assert (shift.point, shift.worse, shift.moved) == ("tensors/pair-7", True, "recommended")
    assert np.expm1(shift.shift.estimate) == pytest.approx(0.1, abs=0.02)
    assert exit_code(found, "regression") == 1
    assert exit_code(found, None) == 0
    assert "tensors/pair-7 time:" in as_text(found)
    assert "recommended takes +" in as_text(found)


# Holm keeps the whole family of 30 comparisons to 1 in 100, and the zone makes it fewer still.
def test_unchanged_runs_are_silent_ninety_nine_times_in_a_hundred(series: Callable[..., Run], claims: Claims) -> None:
    runs = [series(seed, sd=0.02) for seed in range(3, 18)]
    pairs = [(a, b) for i, a in enumerate(runs) for b in runs[i + 1 :]]
    assert len(pairs) > 100
    loud = sum(exit_code(compare(a, b, claims), "regression") for a, b in pairs)
    assert loud <= len(pairs) // 100


# The same seeds give the same values: no gap at all, however much the seeds differ among themselves.
def test_the_same_values_again_are_no_change(run: Run, make_run: MakeRun, claims: Claims) -> None:
    found = compare(run, make_run(id="again"), claims)
    assert found.shifts
    assert found.changed == ()
    assert "unchanged" in as_text(found)


def test_what_differs_around_the_runs_comes_first(series: Callable[..., Run], claims: Claims) -> None:
    newer = series(2, slower=1.1, environment=Environment(python="3.11.9", torch="2.15.0+cpu"))
    found = compare(series(1), newer, claims)
    lines = as_text(found).splitlines()
    assert lines[1] == "not the same: environment torch was 2.14.1+cpu, is 2.15.0+cpu"
    assert found.changed[0].arms == {}
    assert json.loads(as_json(found))["differences"][0]["what"] == "environment torch"
    assert as_markdown(found).startswith("**run-1 against run-2")


def test_runs_whose_controls_failed_cannot_be_compared(
    series: Callable[..., Run], make_run: MakeRun, make_controls: MakeControls, claims: Claims
) -> None:
    bad = make_run(id="bad", points=make_controls(same=1.2))
    with pytest.raises(IncomparableError, match="the controls of bad failed"):
        compare(series(1), bad, claims)


def test_points_that_only_one_run_has_are_named(series: Callable[..., Run], claims: Claims) -> None:
    base, new = series(1), series(2)
    new.points = new.points[:-1]
    found = compare(base, new, claims)
    assert (found.missing, found.added) == (("tensors/pair-29",), ())


def test_the_command_says_it_and_guards(
    tmp_path: Path,
    series: Callable[..., Run],
    save: Callable[[Run, Path], Path],
    claims_file: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    base, new = save(series(1), tmp_path), save(series(2, slower=1.1), tmp_path)
    arguments = ["compare", str(base), str(new.parent), "--claims", str(claims_file)]
    assert main(arguments) == 0
    assert main([*arguments, "--fail-on", "regression"]) == 1
    assert "tensors/pair-7" in capsys.readouterr().out
    assert main(["compare", str(base), str(tmp_path / "none"), "--claims", str(claims_file)]) == 2
