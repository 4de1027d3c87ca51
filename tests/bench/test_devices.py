"""The CPU's memory windows on paper, and the CUDA paths on a stand-in for torch.cuda."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from bench import devices
from bench.devices import Cpu, Cuda, StepMemory, device_named, within_window


def test_window_counts_what_was_alive_before_it() -> None:
    changes = [(1, 100), (2, 50), (3, -50), (5, 30), (6, 20), (7, -30), (9, 1000)]
    assert within_window(changes, 4, 8) == StepMemory(peak=150, allocated=50)


def test_window_without_changes_peaks_at_what_was_alive() -> None:
    assert within_window([(1, 64)], 4, 8) == StepMemory(peak=64, allocated=0)


def test_cpu_counts_every_byte_of_a_step() -> None:
    """A megabyte kept by the build and half of one per step: 1.5 MiB alive at most, beside a scalar's few bytes."""

    def build() -> Any:
        kept = torch.zeros(2**18)
        return lambda: kept[: 2**17] + 1

    for found in Cpu().memory(build, 2):
        assert 0 <= found.allocated - 2**19 < 64
        assert 0 <= found.peak - (2**20 + 2**19) < 64


def test_cpu_has_no_clock_of_its_own() -> None:
    assert Cpu().clock() is None


class FakeCuda:
    """What ``Cuda`` asks of torch.cuda, with a device whose queue takes 3 ms."""

    def __init__(self) -> None:
        self.synchronized = 0
        self.allocated = 1000

    def synchronize(self) -> None:
        self.synchronized += 1

    def reset_peak_memory_stats(self) -> None:
        pass

    def memory_stats(self) -> dict[str, int]:
        return {"allocated_bytes.all.allocated": self.allocated, "allocated_bytes.all.peak": 4096}

    def Event(self, enable_timing: bool) -> Any:  # noqa: N802 - torch's name
        assert enable_timing
        return SimpleNamespace(record=lambda: None, synchronize=self.synchronize, elapsed_time=lambda end: 3.0)


@pytest.fixture
def cuda(monkeypatch: pytest.MonkeyPatch) -> FakeCuda:
    fake = FakeCuda()
    monkeypatch.setattr(devices.torch, "cuda", fake)
    return fake


def test_cuda_events_give_seconds(cuda: FakeCuda) -> None:
    clock = Cuda().clock()
    clock.start()
    assert clock.stop() == 0.003
    assert cuda.synchronized == 1


def test_cuda_memory_is_the_allocators_own(cuda: FakeCuda) -> None:
    def step() -> None:
        cuda.allocated += 512

    assert Cuda().memory(lambda: step, 2) == [StepMemory(4096, 512)] * 2


def test_an_unknown_device_is_told_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="'tpu'; use cpu or cuda"):
        device_named("tpu")
