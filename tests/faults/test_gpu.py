"""A GPU that falls off the bus, and an NVML that says no to everything: points are lost or marked, never the run."""

from __future__ import annotations

import time
from pathlib import Path

import pynvml
import pytest
import torch

from bench import environment, noise, watch
from bench.collect import load_pairs
from bench.launch import Launcher
from bench.measure import Measurement
from bench.nvml import RefusedError, current_gpu
from bench.profiles import SMOKE
from bench.results import PointRecord
from tests.bench.conftest import HEADER

LOST = "CUDA error: the GPU is lost"


@pytest.fixture
def _a_gpu_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """As torch still reports one that was lost, since it counts them once."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)


@pytest.fixture
def _it_is_lost(_a_gpu_is_reported: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: object) -> None:
        raise torch.AcceleratorError(LOST)

    monkeypatch.setattr(torch.cuda, "get_device_properties", lost)
    monkeypatch.setattr(torch.cuda, "get_device_name", lost)


@pytest.fixture
def _nvml_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise pynvml.NVMLError(pynvml.NVML_ERROR_GPU_IS_LOST)

    for name in [n for n in vars(pynvml) if n.startswith("nvml") and callable(getattr(pynvml, n))]:
        monkeypatch.setattr(pynvml, name, refuse)


def measure_on(device: str, launcher: Launcher, folder: Path) -> PointRecord:
    (folder / "topic").mkdir(exist_ok=True)
    (file := folder / "topic" / "good.py").write_text(
        HEADER.replace("torch.randn(8, 8)", "torch.randn(8, 8, device=setup.device)") + "PAIR = pair(work)\n"
    )
    measurement = Measurement(load_pairs(file)[0], None, device, SMOKE, 0, launcher)
    measurement.begin(time.monotonic() + 60)
    return measurement.record()


@pytest.mark.usefixtures("_it_is_lost")
def test_a_lost_gpu_costs_its_own_points_only(launcher: Launcher, tmp_path: Path) -> None:
    """The arm's process finds no GPU either: here because there is none."""
    record = measure_on("cuda", launcher, tmp_path)
    assert record.status == "broken"
    assert record.reason
    assert (record.noise.mhz, record.noise.celsius, record.noise.throttle) == (None, None, [])
    assert measure_on("cpu", launcher, tmp_path).status == "measured"


@pytest.mark.usefixtures("_it_is_lost")
def test_a_lost_gpu_is_a_refusal_with_cudas_own_words() -> None:
    with pytest.raises(RefusedError, match=LOST):
        current_gpu()
    with watch.DeviceCounters("cuda") as counters:
        pass
    assert counters.per_step(1) == dict.fromkeys(("energy", "utilisation"), f"CUDA cannot be used ({LOST})")


@pytest.mark.usefixtures("_it_is_lost", "_nvml_refuses")
def test_a_machine_is_described_though_its_gpu_cannot_be_asked() -> None:
    machine = environment.describe_machine()
    assert machine.gpus == ["unknown GPU"]
    assert machine.driver is None


@pytest.mark.usefixtures("_a_gpu_is_reported", "_nvml_refuses")
def test_an_nvml_that_refuses_every_call_leaves_the_other_numbers(
    monkeypatch: pytest.MonkeyPatch, launcher: Launcher, tmp_path: Path
) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda i: type("Properties", (), {"uuid": "aa"})())
    with pytest.raises(RefusedError, match=r"NVML cannot be used \(GPU is lost\)"):
        noise.gpu_gauges()
    assert measure_on("cpu", launcher, tmp_path).status == "measured"
