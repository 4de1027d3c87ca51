import warnings

import pytest
import torch

from suites.workloads.gpu_waits import waits


def test_without_a_gpu_nothing_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    ran: list[int] = []
    assert waits(lambda: ran.append(1)) == 0
    assert ran == [1]


# What torch 2.14 prints for an operation that waits, in the mode that it is asked for and that is put back afterwards.
def test_waits_are_those_that_torch_warns_of(monkeypatch: pytest.MonkeyPatch) -> None:
    modes: list[object] = []
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_sync_debug_mode", lambda: 0)
    monkeypatch.setattr(torch.cuda, "set_sync_debug_mode", modes.append)

    def run() -> None:
        warnings.warn("called a synchronizing CUDA operation", stacklevel=1)
        warnings.warn("something else", stacklevel=1)
        warnings.warn("called a synchronizing CUDA operation", stacklevel=1)

    assert waits(run) == 2
    assert modes == ["warn", 0]
