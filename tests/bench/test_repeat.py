"""Which runs count as one series; measuring them is a benchmark, not a test."""

from pathlib import Path

import pytest

from bench import store
from bench.repeat import RepeatError, check_one_series, finished_runs, measure_again
from bench.results import Run
from tests.bench.runs import make_run

HERE = Path("results")


def run_of(commit: str | None, budget_s: float | None = 60.0) -> Run:
    return make_run().model_copy(update={"commit": commit, "budget_s": budget_s})


def test_runs_of_one_code_and_budget_are_a_series() -> None:
    check_one_series([run_of("abc"), run_of("abc")], "abc", 60.0, HERE)
    check_one_series([run_of(None)], None, 60.0, HERE)


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (run_of("def"), "code of run .* def ≠ abc wanted; name another folder"),
        (run_of("abc", 30.0), "budget of run .* 30 s ≠ 60 s wanted; name another folder"),
        (run_of("abc", None), "budget of run .* without end ≠ 60 s wanted"),
    ],
)
def test_a_run_of_other_code_or_budget_is_no_part_of_it(other: Run, told: str) -> None:
    with pytest.raises(RepeatError, match=told):
        check_one_series([run_of("abc"), other], "abc", 60.0, HERE)


def test_nothing_is_measured_into_a_folder_of_other_runs(tmp_path: Path) -> None:
    run = run_of("no such commit").model_copy(update={"finished": "2026-01-01T00:01:00+00:00"})
    store.write(run, tmp_path / "machine" / "run" / "run.json")
    with pytest.raises(RepeatError, match="no such commit ≠"):
        measure_again(2, tmp_path, "60s", lambda line: None)
    assert len(finished_runs(tmp_path)) == 1


def test_a_whole_series_of_older_code_is_read_again(tmp_path: Path) -> None:
    for number in ("1", "2"):
        run = run_of("older").model_copy(update={"finished": "2026-01-01T00:01:00+00:00"})
        store.write(run, tmp_path / number / "run.json")
    assert len(measure_again(2, tmp_path, "19m", lambda line: None)) == 2
