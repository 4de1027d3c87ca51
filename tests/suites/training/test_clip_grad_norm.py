from math import inf
from pathlib import Path

import pytest
import torch
from torch import Tensor

from bench import Setup
from suites.training import clip_grad_norm
from suites.workloads.recurrent import train
from tests.suites.points import CPU, metrics


def test_clipped_gradients_are_at_most_one_long(tmp_path: Path) -> None:
    for network in ("many-small-layers", "few-large-layers"):
        found = metrics(clip_grad_norm.COST, tmp_path, network)["gradients longer than 1"]
        assert found == {"anti_pattern": 1, "recommended": 0, "one_by_one": 0}


# 1 / NaN is NaN, which all 48 gradients are multiplied by; 1 / inf is 0, and 0 times inf is NaN for that one alone.
@pytest.mark.parametrize(("number", "clipped"), [("nan", 48), ("inf", 1)])
def test_clipping_passes_a_bad_number_on_in_silence(tmp_path: Path, number: str, clipped: int) -> None:
    found = metrics(clip_grad_norm.NOT_FINITE, tmp_path, number)["weights lost"]
    assert found == {"anti_pattern": 1, "recommended": clipped, "skipped_if_not_finite": 0}


def test_a_run_that_is_not_finite_or_far_above_its_first_loss_has_diverged(tmp_path: Path) -> None:
    def infinite(parameters: list[Tensor]) -> Tensor:
        return torch.stack([p.grad.fill_(inf).sum() for p in parameters if p.grad is not None])

    def backwards(parameters: list[Tensor]) -> Tensor:
        return torch.stack([p.grad.mul_(-1000).sum() for p in parameters if p.grad is not None])

    runs = clip_grad_norm.PAIR.inputs(Setup(CPU, tmp_path, smoke=True, value="one"))
    assert train(runs, infinite) == {"diverged": 4, "loss": inf}
    assert train(runs, backwards)["diverged"] == 4


# Thirty updates of sequences of thirty: recurrent weights that begin as the identity leave it without a bound.
def test_a_bound_keeps_training_from_exploding(tmp_path: Path) -> None:
    runs = clip_grad_norm.PAIR.inputs(Setup(CPU, tmp_path, value="one"))
    assert clip_grad_norm.unclipped(runs)()["diverged"] >= 2
    assert clip_grad_norm.clipped(runs)()["diverged"] == 0
