from pathlib import Path

import pytest
import torch
from torch import nn

from suites.precision.scaler_skips_steps import PAIR
from suites.workloads.scheduled import Loop
from tests.suites.points import metrics

pytestmark = pytest.mark.filterwarnings("ignore:Detected call of .lr_scheduler.step:UserWarning")


# Eight rows of one class leave a bias, from zero, the summed gradient of 8 / 2 = 4. Scaled by 2^16, 2^15 and 2^14 it
# is more than float16's 65,504, so three updates are skipped before the scale of 2^13 fits.
def test_the_schedule_is_ahead_by_the_skipped_updates() -> None:
    model = nn.Linear(1, 2)
    for p in model.parameters():
        nn.init.zeros_(p)
    loop = Loop(model, torch.zeros(8, 1), torch.zeros(8, dtype=torch.long), "sum", steps=6)
    assert {arm: build(loop)() for arm, build in PAIR.arms.items()} == {
        "anti_pattern": 3,
        "recommended": 0,
        "bfloat16_every_step": 0,
    }


def test_a_mean_skips_nothing(tmp_path: Path) -> None:
    found = metrics(PAIR, tmp_path, "mean")["schedule steps without an update"]
    assert set(found.values()) == {0}
