"""A fake NVML that says no as real ones do: on MIG slices, in containers, under WSL, without a GPU."""

from types import SimpleNamespace
from typing import Any

import pytest

from bench.nvml import Gpu, RefusedError, open_gpu


class NVMLError(Exception):
    """As pynvml's."""


class FakeNvml:
    """Two GPUs; ``refused`` calls raise as the real library does."""

    NVMLError = NVMLError
    NVML_CLOCK_SM = 1
    NVML_TEMPERATURE_GPU = 0

    def __init__(
        self, refused: dict[str, str] | None = None, uuids: tuple[str | bytes, ...] = ("GPU-aa", b"GPU-bb")
    ) -> None:
        self._refused = refused or {}
        self._uuids = uuids

    def __getattr__(self, name: str) -> Any:
        answers: dict[str, Any] = {
            "nvmlInit": lambda: None,
            "nvmlDeviceGetCount": lambda: len(self._uuids),
            "nvmlDeviceGetHandleByIndex": lambda i: i,
            "nvmlDeviceGetUUID": lambda handle: self._uuids[handle],
            "nvmlDeviceGetTotalEnergyConsumption": lambda handle: 12_500,
            "nvmlDeviceGetUtilizationRates": lambda handle: SimpleNamespace(gpu=37, memory=5),
            "nvmlDeviceGetClockInfo": lambda handle, kind: 1980,
            "nvmlDeviceGetTemperature": lambda handle, kind: 61,
            "nvmlDeviceGetCurrentClocksEventReasons": lambda handle: 0x4 | 0x40,
            "nvmlDeviceGetComputeRunningProcesses": lambda handle: [object(), object()],
        }
        if name not in answers:
            raise AttributeError(name)
        if name in self._refused:
            return self._refuse(self._refused[name])
        return answers[name]

    @staticmethod
    def _refuse(why: str) -> Any:
        def call(*_: object) -> None:
            raise NVMLError(why)

        return call


EVERY_READING = (
    "nvmlDeviceGetTotalEnergyConsumption",
    "nvmlDeviceGetUtilizationRates",
    "nvmlDeviceGetClockInfo",
    "nvmlDeviceGetTemperature",
    "nvmlDeviceGetCurrentClocksEventReasons",
    "nvmlDeviceGetComputeRunningProcesses",
)


def test_gpus_are_matched_by_uuid_and_not_by_index() -> None:
    assert open_gpu(FakeNvml(), "bb")._handle == 1


def test_everything_is_read_in_our_units() -> None:
    gauges = Gpu(FakeNvml(), 0).gauges()
    assert (gauges.energy_j, gauges.utilisation, gauges.mhz, gauges.celsius) == (12.5, 0.37, 1980.0, 61.0)
    assert gauges.throttle == ("power cap", "hardware thermal slowdown")
    assert gauges.processes == 2
    assert gauges.refusals == ()


@pytest.mark.parametrize("why", ["Not Supported", "Insufficient Permissions", "Unknown Error", "GPU is lost"])
def test_a_gpu_that_refuses_everything_gives_nulls_with_reasons(why: str) -> None:
    gauges = Gpu(FakeNvml(dict.fromkeys(EVERY_READING, why)), 0).gauges()
    assert (gauges.energy_j, gauges.utilisation, gauges.mhz, gauges.celsius, gauges.processes) == (None,) * 5
    assert gauges.throttle == ()
    assert len(gauges.refusals) == len(EVERY_READING)
    assert all(why in r for r in gauges.refusals)


def test_one_refusal_leaves_the_other_readings() -> None:
    gauges = Gpu(FakeNvml({"nvmlDeviceGetTotalEnergyConsumption": "Not Supported"}), 0).gauges()
    assert gauges.energy_j is None
    assert gauges.utilisation == 0.37
    assert gauges.refusals == ("NVML refuses total energy (Not Supported)",)


def test_a_library_that_cannot_start_is_told() -> None:
    with pytest.raises(RefusedError, match="Driver Not Loaded"):
        open_gpu(FakeNvml({"nvmlInit": "Driver Not Loaded"}), "aa")


def test_a_mig_slice_that_nvml_does_not_list_is_told() -> None:
    with pytest.raises(RefusedError, match="MIG"):
        open_gpu(FakeNvml(), "cc")
