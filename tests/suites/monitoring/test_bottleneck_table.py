import math

import pytest
import torch

from suites.workloads.bottlenecks import CAUSES, Seen, rule, rule_with_waiting, training, watch

EVEN = (0.01,) * 16
# Fourteen steps of 1 and two of 20: the mean is 3.4, the deviation 6.3, so the unevenness is 1.9.
STALLING = (0.01,) * 7 + (0.2,) + (0.01,) * 7 + (0.2,)


@pytest.mark.parametrize(
    ("seen", "table", "with_waiting"),
    [
        (Seen(0.95, EVEN, 0.05), "computing", "computing"),
        (Seen(0.20, EVEN, 0.80), "preprocessing", "preprocessing"),
        (Seen(0.40, STALLING, 0.70), "storage", "storage"),
        (Seen(0.20, EVEN, 0.05), "preprocessing", "launching"),
    ],
)
def test_the_table_cannot_name_launches(seen: Seen, table: str, with_waiting: str) -> None:
    assert (rule(seen), rule_with_waiting(seen)) == (table, with_waiting)


def test_unevenness_is_the_deviation_over_the_mean() -> None:
    assert Seen(0.5, STALLING, 0.5).unevenness == pytest.approx(6.284 / 3.375, rel=0.01)


@pytest.mark.parametrize("cause", CAUSES)
def test_every_bottleneck_trains(cause: str) -> None:
    fetch, update = training(cause, torch.device("cpu"), scale=8)
    assert update(fetch()).isfinite()


def test_watching_goes_on_for_eight_steps_at_least() -> None:
    seen = watch("computing", torch.device("cpu"), 8, 0.0)
    assert len(seen.steps) == 8
    assert 0 < seen.waited < 1
    assert math.isnan(seen.utilisation)
