from pathlib import Path

import pytest
import torch

from suites.training import batch_size
from suites.training.batch_size import Epoch, one_epoch
from suites.workloads.labelled import labelled
from tests.suites.points import results


@pytest.mark.parametrize("times", [2, 32])
def test_every_arm_goes_through_all_samples(tmp_path: Path, times: int) -> None:
    found = results(batch_size.PAIR, tmp_path, times)
    assert {result["samples"] for result in found.values()} == {32}


# Updates are what differs: 32 samples in batches of 4 are eight, in one batch one.
def test_a_larger_batch_makes_fewer_updates(monkeypatch: pytest.MonkeyPatch) -> None:
    epoch = Epoch(labelled(32, width=4, depth=1, device=torch.device("cpu")), small=4, times=8)
    made: list[int] = []
    monkeypatch.setattr(batch_size, "update", lambda o, m, x, y: made.append(len(x)) or torch.zeros(()))
    for batch, expected in ((4, [4] * 8), (32, [32])):
        step = one_epoch(epoch, batch)
        made.clear()
        step()
        assert made == expected
