from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from torch import nn

from suites.numerics import nan_check_cost
from suites.numerics.nan_check_cost import all_at_once, each_once, each_twice
from suites.workloads.host_reads import host_reads
from tests.suites.points import build, metrics


# Two layers and the head have a weight and a bias each: six gradients, tested once or twice, or all together.
def test_values_read_from_the_device(tmp_path: Path) -> None:
    reads = metrics(nan_check_cost.PAIR, tmp_path, "twelve-layers")["values read from the device"]
    assert reads == {"anti_pattern": 12, "recommended": 1, "check_each_once": 6, "check_nothing": 0}


@pytest.mark.parametrize("check", [each_twice, each_once, all_at_once])
@pytest.mark.parametrize(("bad", "found"), [(float("nan"), True), (float("-inf"), True), (3e38, False)])
def test_every_check_finds_one_bad_number(check: Callable[[nn.Module], bool], bad: float, found: bool) -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    for parameter in model.parameters():
        parameter.grad = torch.ones_like(parameter)
    assert not check(model)
    model[1].weight.grad[1, 0] = bad
    assert check(model) is found


def test_the_guides_check_raises_on_a_parameter_without_gradient(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="NoneType"):
        build(nan_check_cost.PAIR, tmp_path, "frozen-layer", "anti_pattern")()
    assert not build(nan_check_cost.PAIR, tmp_path, "frozen-layer", "recommended")()["checked"]["found"]


def test_reads_are_counted() -> None:
    x = torch.ones(3)
    assert host_reads(lambda: [x.sum().item(), bool(x.any()), x + 1]) == 2
