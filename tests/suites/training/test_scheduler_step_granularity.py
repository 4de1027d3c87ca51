from math import sqrt
from pathlib import Path

import pytest

from suites.training import scheduler_step_granularity
from suites.workloads.compare import error_of
from suites.workloads.rate_curves import RATE, Plan, rates
from tests.suites.points import metrics

pytestmark = pytest.mark.filterwarnings("ignore:Detected call of `lr_scheduler.step:UserWarning")


@pytest.mark.parametrize("schedule", ["cosine", "steps"])
def test_a_schedule_over_epochs_is_stepped_per_epoch(tmp_path: Path, schedule: str) -> None:
    errors = metrics(scheduler_step_granularity.PAIR, tmp_path, schedule)["error of the rates"]
    assert errors["recommended"] == pytest.approx(0, abs=1e-6)
    assert errors["anti_pattern"] > 0.3
    assert errors["before_the_optimizer"] > 0.05


@pytest.mark.parametrize("schedule", ["one-cycle", "warm-restarts"])
def test_a_schedule_over_batches_is_stepped_per_batch(tmp_path: Path, schedule: str) -> None:
    errors = metrics(scheduler_step_granularity.PAIR, tmp_path, schedule)["error of the rates"]
    assert errors["anti_pattern"] == pytest.approx(0, abs=1e-6)
    assert errors["recommended"] > 0.3


# Two cosines of independent phase have the mean 1/2 and the mean square 3/8, so that of their difference is
# 3/8 + 3/8 - 2/4 = 1/4; over 3/8 that is 2/3.
def test_a_cosine_stepped_per_batch_swings() -> None:
    found = rates(Plan("cosine", epochs=50, batches=200), per_batch=True)
    assert error_of("rates")(found) == pytest.approx(sqrt(2 / 3), rel=0.02)


# Epochs 0, 1, 2, 3 of a schedule that falls to a tenth each epoch; before the optimizer, it begins with the second.
def test_before_the_optimizer_the_first_rate_is_skipped() -> None:
    plan = Plan("steps", epochs=4, batches=1)
    assert rates(plan)["rates"].tolist() == pytest.approx([RATE, RATE / 10, RATE / 100, RATE / 1000])
    assert rates(plan, before_the_optimizer=True)["rates"].tolist() == pytest.approx(
        [RATE / 10, RATE / 100, RATE / 1000, RATE / 10000]
    )
