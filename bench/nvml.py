"""What the NVIDIA management library says of a GPU. Every call may refuse, and then there is a reason and no number.

Refusals seen in the field: NotSupported on MIG slices and consumer boards, NoPermission in containers, no library at
all on CPU machines, WSL and Jetson.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")

# nvmlClocksEventReason* bits that mean slower clocks than asked for (NVML API reference, "Clocks event reasons").
SLOWDOWNS = {
    0x4: "power cap",
    0x8: "hardware slowdown",
    0x20: "software thermal slowdown",
    0x40: "hardware thermal slowdown",
    0x80: "power brake",
}


class RefusedError(Exception):
    """NVML did not answer; the message says what was asked and why not."""


@dataclass(frozen=True)
class Gauges:
    """A GPU's state at one moment; a null with its reason in ``refusals``."""

    utilisation: float | None
    energy_j: float | None
    mhz: float | None
    celsius: float | None
    throttle: tuple[str, ...]
    processes: int | None
    refusals: tuple[str, ...]


class Gpu:
    """One GPU as NVML sees it. ``nvml`` is the pynvml module, or a stand-in for it."""

    def __init__(self, nvml: Any, handle: Any) -> None:
        self._nvml = nvml
        self._handle = handle

    def energy_j(self) -> float:
        """Joules since the driver was loaded. Raises RefusedError."""
        return float(self._ask("total energy", self._nvml.nvmlDeviceGetTotalEnergyConsumption)) / 1e3

    def utilisation(self) -> float:
        """Share of the last sampling period in which a kernel ran. Raises RefusedError."""
        return float(self._ask("utilisation", self._nvml.nvmlDeviceGetUtilizationRates).gpu) / 100

    def gauges(self) -> Gauges:
        """Everything that can be read now."""
        n = self._nvml
        refusals: list[str] = []

        def read(what: str, call: Callable[[], T]) -> T | None:
            try:
                return call()
            except RefusedError as refused:
                refusals.append(str(refused))
                return None

        mhz = read("clock", lambda: self._ask("clock", n.nvmlDeviceGetClockInfo, n.NVML_CLOCK_SM))
        celsius = read("heat", lambda: self._ask("temperature", n.nvmlDeviceGetTemperature, n.NVML_TEMPERATURE_GPU))
        bits = read("throttle", lambda: self._ask("throttle reasons", n.nvmlDeviceGetCurrentClocksEventReasons))
        running = read("processes", lambda: self._ask("processes", n.nvmlDeviceGetComputeRunningProcesses))
        return Gauges(
            utilisation=read("utilisation", self.utilisation),
            energy_j=read("energy", self.energy_j),
            mhz=float(mhz) if mhz is not None else None,
            celsius=float(celsius) if celsius is not None else None,
            throttle=tuple(name for bit, name in SLOWDOWNS.items() if bits and bits & bit),
            processes=len(running) if running is not None else None,
            refusals=tuple(refusals),
        )

    def _ask(self, what: str, call: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return call(self._handle, *arguments)
        except self._nvml.NVMLError as error:
            raise RefusedError(f"NVML refuses {what} ({error})") from error


def open_gpu(nvml: Any, uuid: str) -> Gpu:
    """The GPU with this UUID (torch's, without the "GPU-" that NVML puts before it). Raises RefusedError."""
    try:
        nvml.nvmlInit()
        for i in range(nvml.nvmlDeviceGetCount()):
            handle = nvml.nvmlDeviceGetHandleByIndex(i)
            found = nvml.nvmlDeviceGetUUID(handle)
            if (found.decode() if isinstance(found, bytes) else found).removeprefix("GPU-") == uuid:
                return Gpu(nvml, handle)
    except nvml.NVMLError as error:
        raise RefusedError(f"NVML cannot be used ({error})") from error
    raise RefusedError(f"NVML knows no GPU {uuid} (a MIG slice?)")


def current_gpu() -> Gpu:
    """The GPU that torch uses, matched by UUID since indexes may differ. Raises RefusedError."""
    import pynvml
    import torch

    if not torch.cuda.is_available():
        raise RefusedError("there is no CUDA device")
    try:
        uuid = str(torch.cuda.get_device_properties(0).uuid)
    except RuntimeError as error:
        raise RefusedError(f"CUDA cannot be used ({error})") from error
    return open_gpu(pynvml, uuid)


def driver_version() -> str:
    """The NVIDIA driver's version. Raises RefusedError."""
    import pynvml

    try:
        pynvml.nvmlInit()
        found = pynvml.nvmlSystemGetDriverVersion()
    except pynvml.NVMLError as error:
        raise RefusedError(f"NVML cannot be used ({error})") from error
    return found.decode() if isinstance(found, bytes) else str(found)
