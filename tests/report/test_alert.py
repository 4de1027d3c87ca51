"""An alert needs two nights that agree, against nights that agreed, and comes once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bench.claims import Claims
from bench.results import Environment, PointRecord, Run
from report.__main__ import main
from report.alert import Alert, Silence, as_markdown, judge_nights, newest_nights, title

Night = Callable[..., Run]


@pytest.fixture
def night(
    make_run: Callable[..., Run],
    make_record: Callable[..., PointRecord],
    make_controls: Callable[..., list[PointRecord]],
) -> Night:
    """``night(day, ratio)``: that night's run, whose one pair takes ``ratio`` as long."""

    def run(day: int, ratio: float, same: float = 1.0, **fields: object) -> Run:
        points = [*make_controls(same=same), make_record("tensors/one", "reshape-copies", ratio, seed=day)]
        return make_run(id=f"2026010{day}T010000-abc", points=points, **fields)

    return run


def nights(night: Night, *ratios: float) -> list[Run]:
    """A run a night, newest first as the folder is read."""
    return [night(day + 1, ratio) for day, ratio in enumerate(ratios)][::-1]


def test_a_verdict_that_changed_two_nights_running_is_told(night: Night, claims: Claims) -> None:
    found = judge_nights(nights(night, 0.7, 0.7, 1.2, 1.2), "two-cores", claims)
    assert isinstance(found, Alert)
    assert title(found) == "two-cores: verdicts changed since 20260102T010000-abc"
    told = as_markdown(found)
    assert told.startswith("# two-cores: verdicts changed since")
    assert "- tensors/one time: CONFIRMED was, BACKFIRES is" in told


def test_the_night_a_driver_came_it_stands_first(night: Night, claims: Claims) -> None:
    newer = Environment(python="3.11.9", torch="2.15.0+cpu", packages={"numpy": "2.3.1"})
    series = [night(4, 1.2, environment=newer), night(3, 1.2, environment=newer), night(2, 0.7), night(1, 0.7)]
    found = judge_nights(series, "two-cores", claims)
    assert isinstance(found, Alert)
    assert as_markdown(found).splitlines()[3] == "- not the same: environment torch was 2.14.1+cpu, is 2.15.0+cpu"


@pytest.mark.parametrize(
    "ratios",
    [
        (0.7, 0.7, 0.7, 1.2),  # the first night of a change
        (0.7, 0.7, 1.2, 0.7),  # one odd night
        (0.7, 1.2, 0.7, 0.7),  # the odd night is the base
        (0.7, 0.7, 1.2, 1.0),  # two nights that do not agree
        (0.7, 1.2, 1.2, 1.2),  # told the night before
        (0.70, 0.70, 0.75, 0.75),  # the same verdict, a bit less
    ],
)
def test_anything_less_is_silent(night: Night, claims: Claims, ratios: tuple[float, ...]) -> None:
    assert isinstance(judge_nights(nights(night, *ratios), "two-cores", claims), Silence)


def test_too_few_nights_say_so(night: Night, claims: Claims) -> None:
    found = judge_nights(nights(night, 0.7, 1.2), "two-cores", claims)
    assert found == Silence("two-cores", "needs 3 whole runs whose controls passed, found 2")
    assert isinstance(judge_nights(nights(night, 0.7, 1.2, 1.2), "two-cores", claims), Alert)


def test_nights_that_cannot_be_compared_do_not_count(
    night: Night, save: Callable[[Run, Path], Path], tmp_path: Path
) -> None:
    counted = [night(1, 0.7), night(5, 0.7)]
    others = [night(2, 0.7, same=1.2), night(3, 0.7, partial=True), night(4, 0.7, finished=None)]
    for run in (*counted, *others, night(6, 0.7, profile="full", finished=None)):
        save(run, tmp_path)
    broken = tmp_path / "two-cores" / "20260109T010000-abc" / "run.json"
    broken.parent.mkdir()
    broken.write_text("{", encoding="utf-8")
    found = newest_nights(tmp_path / "two-cores", 4)
    assert [r.id for r in found] == [counted[1].id, counted[0].id]


def test_the_command_tells_by_its_exit_code(
    night: Night,
    save: Callable[[Run, Path], Path],
    claims_file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    results = tmp_path / "results"
    arguments = ["alert", str(results), "--claims", str(claims_file)]
    assert main(arguments) == 2
    assert "is no folder of runs" in capsys.readouterr().err
    for run in nights(night, 0.7, 0.7, 1.2):
        save(run, results)
    assert main(arguments) == 0
    assert capsys.readouterr().out == "two-cores: no verdict has changed for two nights; tonight 1 moved\n"
    save(night(4, 1.2), results)
    assert main([*arguments, "--machine", "two-cores"]) == 1
    assert capsys.readouterr().out.startswith("# two-cores: verdicts changed since 20260102T010000-abc\n")
