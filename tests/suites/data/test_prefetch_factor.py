from pathlib import Path

import pytest
import torch

from suites.data.prefetch_factor import PAIR
from suites.workloads.slow_loading import PERIOD, Feed, seconds_to_load, training
from tests.suites.points import results


@pytest.mark.parametrize("case", ["bursty", "even"])
def test_the_factor_changes_no_batch(tmp_path: Path, case: str) -> None:
    results(PAIR, tmp_path, case)


# Sixteen batches: fifteen take 0.5 ms and one 16 ms, which is 23.5 ms, or 1.46875 ms for each.
def test_both_kinds_of_samples_take_the_same_on_average() -> None:
    seconds = {case: seconds_to_load(case, 2 * PERIOD) for case in ("bursty", "even")}
    assert sum(seconds["bursty"]) == pytest.approx(2 * 23.5e-3)
    assert seconds["even"] == pytest.approx([1.46875e-3] * 32)
    assert sorted(seconds["bursty"])[-3:] == pytest.approx([0.5e-3, 16e-3, 16e-3])


# Without workers every batch is loaded when it is asked for, so none ever lies ready, and all of the loading is waited
# for: 4 x 20 ms beside training steps of no time.
def test_waiting_and_what_lies_ready_are_noticed() -> None:
    found = training(Feed(torch.ones(4, 2), [0.02] * 4, step_s=0.0, workers=0), prefetch_factor=None)()
    assert found["sums"] == [2, 2, 2, 2]
    assert found["ahead"] == 0
    assert found["waited"] > 0.5
