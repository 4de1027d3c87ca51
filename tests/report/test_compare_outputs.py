"""A comparison as text, Markdown and JSON, and as a command that guards."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bench.claims import Claims
from bench.compare import compare, exit_code
from bench.results import Environment, PointRecord, Run
from report.__main__ import main
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
