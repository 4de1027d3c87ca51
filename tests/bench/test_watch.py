import os
import time

import pytest

from bench import watch
from bench.nvml import Gpu
from tests.bench.test_nvml import FakeNvml


def test_a_cpu_has_a_reason_in_place_of_energy() -> None:
    with watch.DeviceCounters("cpu") as counters:
        pass
    found = counters.per_step(10)
    assert found["energy"] == "cpu has no energy or utilisation counter that torchproof reads"
    assert isinstance(found["utilisation"], str)


def test_energy_is_per_step_and_utilisation_a_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    class Growing(Gpu):
        joules = 100.0

        def energy_j(self) -> float:
            self.joules += 50
            return self.joules

    monkeypatch.setattr(watch, "current_gpu", lambda: Growing(FakeNvml(), 0))
    with watch.DeviceCounters("cuda") as counters:
        time.sleep(0.01)
    assert counters.per_step(10) == {"energy": 5.0, "utilisation": pytest.approx(0.37)}


def test_refusals_take_the_place_of_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    mig = FakeNvml({"nvmlDeviceGetTotalEnergyConsumption": "Not Supported", "nvmlDeviceGetUtilizationRates": "N/A"})
    monkeypatch.setattr(watch, "current_gpu", lambda: Gpu(mig, 0))
    with watch.DeviceCounters("cuda") as counters:
        time.sleep(0.01)
    found = counters.per_step(10)
    assert found == {
        "energy": "NVML refuses total energy (Not Supported)",
        "utilisation": "NVML refuses utilisation (N/A)",
    }


def test_tree_memory_sees_what_is_held_at_the_end_of_a_short_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch.TreeMemory, "period", 60.0)
    with watch.TreeMemory(os.getpid()) as before:
        pass
    with watch.TreeMemory(os.getpid()) as tree:
        time.sleep(0.2)
        ballast = bytearray(os.urandom(1)) * 50_000_000
    assert tree.peak - before.peak > 40_000_000
    assert ballast


def test_tree_memory_sees_children() -> None:
    with watch.TreeMemory(os.getpid()) as alone:
        pass
    pid = os.fork()
    if pid == 0:
        ballast = bytearray(os.urandom(1)) * 50_000_000
        time.sleep(30)
        os._exit(len(ballast) % 2)
    try:
        time.sleep(1.0)
        with watch.TreeMemory(os.getpid()) as together:
            pass
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    assert together.peak - alone.peak > 40_000_000


def test_tree_memory_of_a_process_that_is_gone_is_nothing() -> None:
    pid = os.fork()
    if pid == 0:
        time.sleep(0.2)
        os._exit(0)
    tree = watch.TreeMemory(pid)
    os.waitpid(pid, 0)
    with tree:
        pass
    assert tree.peak == 0
