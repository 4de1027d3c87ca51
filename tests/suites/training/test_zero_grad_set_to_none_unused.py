from pathlib import Path

import pytest
import torch

from bench import Setup
from suites.training.zero_grad_set_to_none_unused import PAIR
from suites.workloads.unused import UPDATES, unused_layer
from tests.suites.points import CPU, metrics


# Each update with zeros leaves 1 - 0.1 · 0.1 of a weight, so after nine the weights that stayed are 0.99⁻⁹ - 1 off.
def test_weight_decay_goes_on_with_zeros_only(tmp_path: Path) -> None:
    errors = metrics(PAIR, tmp_path, "weight-decay")["unused weights' error"]
    assert errors == {"anti_pattern": 0, "recommended": pytest.approx(0.99**-UPDATES - 1, rel=1e-4)}


# The first update moves by 0.1 g and momentum by 0.1 g · (0.9 + … + 0.9⁹) more: w - 0.1 g · (1 - 0.9¹⁰) / (1 - 0.9).
def test_momentum_goes_on_with_zeros_only(tmp_path: Path) -> None:
    u = unused_layer(Setup(CPU, tmp_path, value="momentum"))
    u.layer(u.x).square().mean().backward()
    expected = [p.detach() - 0.1 * p.grad * (1 - 0.9**10) / 0.1 for p in u.layer.parameters() if p.grad is not None]
    torch.testing.assert_close(u.true_weights, torch.cat([p.reshape(-1) for p in expected]))
    errors = metrics(PAIR, tmp_path, "momentum")["unused weights' error"]
    assert errors["anti_pattern"] == 0
    assert errors["recommended"] > 0.01
