from pathlib import Path

import pytest
import torch

from suites.autograd.loss_history_growth import PAIR
from suites.workloads.kept import Kept
from tests.suites.points import metrics

# For 4 rows of width 8: the batch and 6 Tanh outputs, 4 x 10 log-probabilities, 4 labels of 8 bytes, and the loss's
# weight of all samples.
GRAPH = 7 * 4 * 8 * 4 + 4 * 10 * 4 + 4 * 8 + 4


@pytest.mark.parametrize(("loop", "held"), [("evaluation", GRAPH), ("training", 0), ("evaluation-under-no-grad", 0)])
def test_only_a_graph_without_backward_stays_in_a_history(tmp_path: Path, loop: str, held: int) -> None:
    found = metrics(PAIR, tmp_path, loop)["held by graphs per batch"]
    assert found == {"anti_pattern": held, "recommended": 0, "append_detached": 0}


# exp() saves its output of 5 floats, and the product of that with itself saves the same storage twice.
def test_a_tensor_saved_twice_is_held_once() -> None:
    kept, x = Kept(besides=()), torch.ones(5, requires_grad=True)
    with kept.watch():
        y = x.exp()
        z = (y * y).sum()
    assert kept.nbytes == 20
    z.backward()
    assert kept.nbytes == 0
