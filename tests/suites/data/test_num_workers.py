import time
from pathlib import Path

import pytest
import torch
from torch import Tensor

from suites.data.num_workers import PAIR
from suites.workloads.photographs import InMemory, photographs
from suites.workloads.worker_epochs import Epoch, classifier, epoch
from tests.suites.points import results


class Busy(InMemory):
    """Burns 5 ms of CPU time for each sample."""

    def __getitem__(self, index: int) -> Tensor:
        until = time.process_time() + 0.005
        while time.process_time() < until:
            pass
        return super().__getitem__(index)


@pytest.mark.filterwarnings("ignore:This DataLoader will create")
def test_workers_load_what_the_main_process_loads(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    results(PAIR, tmp_path, 1)
    results(PAIR, tmp_path, "short-epochs")


# 16 samples of 5 ms are 80 ms of CPU time (counted in ticks of 10 ms), whoever loads them; little else is done.
@pytest.mark.parametrize("workers", [0, 2])
def test_the_workers_cpu_time_counts(workers: int) -> None:
    samples = Busy(torch.ones(16, 4))
    found = epoch(Epoch(samples, classifier(4, torch.device("cpu")), workers), workers)()
    assert found["cpu"] >= 0.06
    assert found["sums"].tolist() == [32, 32]
    assert 0.5 < found["waited"] < 1


def test_photographs_are_made_once() -> None:
    pytest.importorskip("sklearn")
    before = {path: path.stat().st_mtime_ns for path in photographs(3, side=32)}
    assert {path: path.stat().st_mtime_ns for path in photographs(3, side=32)} == before
    assert all(path.read_bytes().startswith(b"\xff\xd8\xff") for path in before)
