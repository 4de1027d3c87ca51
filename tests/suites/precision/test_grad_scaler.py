from pathlib import Path

import pytest
import torch
from torch import nn

from suites.precision.grad_scaler import PAIR
from suites.workloads.compare import relative_error
from suites.workloads.half_step import HalfStep
from tests.suites.points import metrics

ERROR, ZEROS = "gradient error", "share of zero gradients"


def one_input(weight: float) -> HalfStep:
    """Two classes, to a layer of zeros equally likely: the gradient is weight / 2 everywhere, but for its sign."""
    model = nn.Linear(1, 2)
    for p in model.parameters():
        nn.init.zeros_(p)
    return HalfStep(model, torch.ones(1, 1), torch.zeros(1, dtype=torch.long), weight)


# float16's smallest number is 2^-24: half of a gradient of 2^-24 survives as that, one of 2^-26 becomes 0.
@pytest.mark.parametrize(("weight", "lost"), [(2.0**-23, 0), (2.0**-25, 1)])
def test_what_float16_cannot_hold_becomes_zero(weight: float, lost: float) -> None:
    found = {arm: build(one_input(weight))() for arm, build in PAIR.arms.items()}
    errors = {arm: relative_error(r["gradient"], r["true gradient"]) for arm, r in found.items()}
    assert errors["anti_pattern"] == pytest.approx(lost, abs=1e-6)
    assert errors["recommended"] == pytest.approx(0, abs=1e-3)
    assert errors["bfloat16_without_scaler"] == pytest.approx(0, abs=1e-2)
    assert {arm: bool((r["gradient"] == 0).all()) for arm, r in found.items()} == {
        "anti_pattern": lost == 1,
        "recommended": False,
        "bfloat16_without_scaler": False,
    }


# A mean over 64 rows leaves each logit a gradient of at most 1e-6 / 64, which is less than 2^-25.
def test_every_gradient_of_a_light_loss_is_zero_without_a_scaler(tmp_path: Path) -> None:
    found = metrics(PAIR, tmp_path, "weighed-1e-6")
    assert found[ZEROS] == {"anti_pattern": 1, "recommended": 0, "bfloat16_without_scaler": 0}
    assert found[ERROR]["anti_pattern"] == 1
    assert found[ERROR]["recommended"] < 0.01


def test_a_loss_of_order_one_needs_no_scaler(tmp_path: Path) -> None:
    found = metrics(PAIR, tmp_path, "order-1")
    assert found[ZEROS]["anti_pattern"] < 0.01
    assert found[ERROR]["anti_pattern"] < 0.01
    # bfloat16 has three bits less.
    assert found[ERROR]["bfloat16_without_scaler"] > found[ERROR]["recommended"]
