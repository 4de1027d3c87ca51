from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from bench import Setup
from bench.devices import Cpu
from suites.workloads.digits_training import digits
from suites.workloads.log import Log
from suites.workloads.practices import Options, Workload, evaluation, training

pytest.importorskip("sklearn")

CHANGES: list[dict[str, Any]] = [
    {"none_gradients": True},
    {"micro_batches": 4},
    {"precision": torch.bfloat16},
    {"cudnn_benchmark": True},
    {"channels_last": True},
    {"fused": True},
    {"compiled": "eager"},
    {"history": "detached"},
    {"history": "number"},
    {"log_every": 100},
]


@pytest.fixture
def workload(tmp_path: Path) -> Workload:
    return digits(Setup(torch.device("cpu"), tmp_path, smoke=True))


# Of two passes the second sees what the first one's updates made of the weights.
@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_a_practice_leaves_the_losses_alone(workload: Workload, change: dict[str, Any]) -> None:
    without, follows = training(workload, Options()), training(workload, Options(**change))
    tolerance = 2e-2 if "precision" in change else 1e-5
    for _ in range(2):
        torch.testing.assert_close(follows(), without(), rtol=tolerance, atol=tolerance)


def test_training_learns(workload: Workload) -> None:
    step = training(workload, Options())
    first, *_, last = [float(step().mean()) for _ in range(100)]
    assert last < 0.5 * first


def test_evaluation_leaves_the_model_alone(workload: Workload) -> None:
    step = evaluation(workload, Options())
    before = step()
    assert torch.equal(step(), before)
    assert torch.equal(evaluation(workload, Options(no_grad=True))(), before)


# The first update's loss is that of the new model.
def test_training_begins_where_evaluation_stands(workload: Workload) -> None:
    torch.testing.assert_close(training(workload, Options())()[0], evaluation(workload, Options())()[0])


# In validation each loss that is kept with its graph holds a batch's activations; the second batch then adds to them.
def test_only_a_history_of_graphs_holds_activations(workload: Workload) -> None:
    def peak(**practices: Any) -> int:
        return Cpu().memory(lambda: evaluation(workload, Options(**practices)), repeats=1)[0].peak

    assert peak(history="graph") > 1.2 * peak(history="detached")
    assert peak(history="number") == pytest.approx(peak(history="detached"), rel=0.01)
    assert peak(history="graph", no_grad=True) <= peak(history="detached")


class Watched(torch.optim.SGD):
    """Notes how it is asked to clear the gradients, and whether it is fused."""

    def __init__(self, parameters: Any, fused: bool | None) -> None:
        super().__init__(parameters, lr=0.1, fused=fused)
        self.asked: list[bool] = []

    def zero_grad(self, set_to_none: bool = True) -> None:
        self.asked.append(set_to_none)
        super().zero_grad(set_to_none)


@pytest.mark.parametrize("follows", [False, True])
def test_the_optimizer_is_asked_for_what_the_options_say(workload: Workload, follows: bool) -> None:
    made: list[Watched] = []

    def optimizer(parameters: Any, fused: bool | None) -> Watched:
        made.append(Watched(parameters, fused))
        return made[0]

    training(replace(workload, optimizer=optimizer), Options(none_gradients=follows, fused=follows))()
    assert made[0].asked == [follows] * 2
    assert made[0].defaults["fused"] is (True if follows else None)


def test_the_log_has_every_nth_batch() -> None:
    log = Log(every=2)
    for loss in (1.0, 2.0, 3.0, 4.0):
        log.note(torch.tensor(loss))
    assert log.text.getvalue() == "batch 2: loss 2.0\nbatch 4: loss 4.0\n"
