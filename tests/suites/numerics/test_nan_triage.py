from pathlib import Path

import pytest

from bench.pair import Setup
from suites.numerics import nan_triage
from suites.workloads.nan_causes import Run, faulty
from tests.suites.points import CPU, metrics

STEPS, RIGHT = "steps until the cause is named", "cause named right"
pytestmark = pytest.mark.filterwarnings("ignore:Error detected in")


# Tiny, the loss is looked at after 20 steps, and the fault is in batch 6, the seventh. Beginning anew costs 20 steps
# for each suspect up to the guilty one; the check needs 7 steps, and one in anomaly mode to name a log or root.
@pytest.mark.parametrize(
    ("cause", "looking_back", "checking"), [("data", 60, 7), ("log", 80, 8), ("sqrt", 80, 8), ("half-overflow", 100, 3)]
)
def test_steps_until_the_cause_is_named(tmp_path: Path, cause: str, looking_back: int, checking: int) -> None:
    found = metrics(nan_triage.PAIR, tmp_path, cause)
    assert found[STEPS]["anti_pattern"] == looking_back
    assert found[STEPS]["recommended"] == found[STEPS]["checks_and_zeros"] == checking
    assert set(found[RIGHT].values()) == {1}


def test_a_rate_that_is_too_high_is_what_is_left_over(tmp_path: Path) -> None:
    found = metrics(nan_triage.PAIR, tmp_path, "learning-rate")
    assert found[STEPS]["recommended"] < found[STEPS]["anti_pattern"] == 40
    assert set(found[RIGHT].values()) == {1}


# 2^-40 times the gradient is below half precision's least number, 2^-24: all are 0 and nothing is NaN in 40 steps.
def test_underflow_gives_zeros_which_no_check_for_nan_finds(tmp_path: Path) -> None:
    found = metrics(nan_triage.PAIR, tmp_path, "half-underflow")
    assert found[STEPS] == {"anti_pattern": 40, "recommended": 40, "checks_and_zeros": 3}
    assert found[RIGHT] == {"anti_pattern": 0, "recommended": 0, "checks_and_zeros": 1}


@pytest.mark.parametrize(("cause", "finite", "zero"), [("half-underflow", True, True), ("half-overflow", False, False)])
def test_half_precision_gives_zeros_or_nan(tmp_path: Path, cause: str, finite: bool, zero: bool) -> None:
    run = Run(faulty(Setup(CPU, tmp_path, smoke=True, value=cause)))
    assert run.finite(run.gradients()) is finite
    assert run.zero() is zero
