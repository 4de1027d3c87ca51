from math import inf
from pathlib import Path

import torch
from torch import Tensor

from bench import Setup
from suites.training import clip_grad_norm
from suites.workloads.recurrent import train
from tests.suites.points import CPU


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
