import threading
from pathlib import Path
from typing import Any

import torch

from suites.checkpoint import checkpoint_regularly_stall
from suites.workloads.killed import asynchronous
from tests.suites.points import results


def test_training_goes_on_alike_and_only_a_thread_leaves_a_save_behind(tmp_path: Path) -> None:
    found = results(checkpoint_regularly_stall.PAIR, tmp_path, 4)
    pending = {arm: result["pending"] for arm, result in found.items()}
    assert pending == {"anti_pattern": 0, "recommended": 1, "write_beside": 0, "save_nothing": 0}


def test_a_thread_writes_the_weights_as_they_were(tmp_path: Path) -> None:
    trained_on = threading.Event()

    def write(state: dict[str, Any], path: Path) -> None:
        assert trained_on.wait(timeout=10)
        torch.save(state, path)

    weights = torch.ones(3)
    thread = asynchronous({"weights": weights}, tmp_path, write)
    weights.zero_()
    trained_on.set()
    thread.join()
    assert torch.load(tmp_path / "checkpoint.pth")["weights"].tolist() == [1, 1, 1]
