import copy
from pathlib import Path

import pytest
import torch

from suites.training import zero_grad_missing
from suites.training.zero_grad_missing import Training, train
from suites.workloads.loops import Task, loss_of, loss_over, task
from tests.suites.points import metrics

pytest.importorskip("sklearn")


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_cleared_gradients_are_those_of_the_batch(tmp_path: Path, optimizer: str) -> None:
    errors = metrics(zero_grad_missing.PAIR, tmp_path, optimizer)["gradient error"]
    assert errors["anti_pattern"] > 0.5
    assert errors["recommended"] == 0


# Three backwards of one batch, whose gradient hardly changes at first: g, 2 g, 3 g for g are the errors 0, 1, 2.
def test_the_second_gradient_is_twice_too_long() -> None:
    digits = task(seed=0, batches=1, rows=512)
    found = train(Training(Task(digits.model, digits.batches * 3), adam=False), clear=False)
    assert found["error"] == pytest.approx(1, abs=0.1)


# w -= rate · (g₁ + … + gₙ) is SGD with momentum 1, whose velocity is that sum.
def test_never_clearing_is_momentum_one() -> None:
    digits = task(seed=0, batches=8, rows=16)
    model = copy.deepcopy(digits.model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5, momentum=1.0)
    for batch in digits.batches:
        optimizer.zero_grad()
        loss_of(model, batch).backward()
        optimizer.step()
    found = train(Training(digits, adam=False), clear=False)
    assert found["loss"] == pytest.approx(loss_over(model, digits.batches), rel=1e-4)
