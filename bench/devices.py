"""Where a pair runs: the few things that differ between a CPU and an accelerator, behind one small interface.

A further accelerator is one more implementation of ``Device`` and a line in ``available``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch
from torch.profiler import ProfilerActivity, profile, record_function

_STEP = "torchproof.step"


@dataclass(frozen=True)
class StepMemory:
    """Bytes of tensors: the highest total alive during the step, and all that the step asked for, freed or not."""

    peak: int
    allocated: int


class Clock(Protocol):
    """A device's own stopwatch."""

    def start(self) -> None:
        """Mark the beginning in the device's queue."""

    def stop(self) -> float:
        """Seconds of device time since ``start``; waits for the device."""


class Device(Protocol):
    """What the engine needs of a device."""

    name: str

    @property
    def torch_device(self) -> torch.device:
        """The device as torch calls it."""

    def synchronize(self) -> None:
        """Wait until everything that was asked of the device is done."""

    def clock(self) -> Clock | None:
        """The device's own stopwatch; None when the host's clock is all there is."""

    def memory(self, build: Callable[[], Callable[[], object]], repeats: int) -> list[StepMemory]:
        """What each of ``repeats`` steps after the first uses; what ``build`` makes and keeps counts as alive."""


class Cpu:
    """The host itself."""

    name = "cpu"
    torch_device = torch.device("cpu")

    def synchronize(self) -> None:
        """Nothing to wait for: an operation on the CPU has ended when it returns."""

    def clock(self) -> None:
        """The host's clock is the device's."""

    def memory(self, build: Callable[[], Callable[[], object]], repeats: int) -> list[StepMemory]:
        """Exact tensor bytes, from the profiler's record of every allocation and release."""
        with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
            step = build()
            step()
            for _ in range(repeats):
                with record_function(_STEP):
                    kept = step()
                del kept
        events = profiler.profiler.kineto_results.events()
        changes = sorted((e.start_ns(), e.nbytes()) for e in events if e.name() == "[memory]")
        windows = sorted((e.start_ns(), e.end_ns()) for e in events if e.name() == _STEP)
        return [within_window(changes, begin, end) for begin, end in windows]


def within_window(changes: list[tuple[int, int]], begin: int, end: int) -> StepMemory:
    """Peak and total of (when, bytes more or fewer) changes between two moments, counting what was alive before."""
    alive = sum(nbytes for when, nbytes in changes if when < begin)
    peak, allocated = alive, 0
    for when, nbytes in changes:
        if begin <= when <= end:
            alive += nbytes
            peak = max(peak, alive)
            allocated += max(0, nbytes)
    return StepMemory(peak, allocated)


class CudaClock:
    """CUDA events: the device's time between two marks in the current stream."""

    def __init__(self) -> None:
        self._begin = torch.cuda.Event(enable_timing=True)
        self._end = torch.cuda.Event(enable_timing=True)

    def start(self) -> None:
        """Mark the beginning."""
        self._begin.record()

    def stop(self) -> float:
        """Seconds since the beginning's mark."""
        self._end.record()
        self._end.synchronize()
        return float(self._begin.elapsed_time(self._end)) / 1e3


class Cuda:
    """The current CUDA device."""

    name = "cuda"
    torch_device = torch.device("cuda")

    def synchronize(self) -> None:
        """Wait for every stream."""
        torch.cuda.synchronize()

    def clock(self) -> CudaClock:
        """A pair of events."""
        return CudaClock()

    def memory(self, build: Callable[[], Callable[[], object]], repeats: int) -> list[StepMemory]:
        """The caching allocator's own counters."""
        step = build()
        step()
        return [self._watch(step) for _ in range(repeats)]

    def _watch(self, step: Callable[[], object]) -> StepMemory:
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_stats()["allocated_bytes.all.allocated"]
        kept = step()
        torch.cuda.synchronize()
        stats = torch.cuda.memory_stats()
        del kept
        return StepMemory(
            peak=stats["allocated_bytes.all.peak"],
            allocated=stats["allocated_bytes.all.allocated"] - before,
        )


def device_named(name: str) -> Device:
    """The device called ``name``. Raises ValueError with the names there are."""
    if name == "cpu":
        return Cpu()
    if name == "cuda":
        return Cuda()
    raise ValueError(f"unknown device {name!r}; use cpu or cuda")


def available() -> list[str]:
    """The devices of this machine, the one to prefer first. Does not initialise CUDA, so that forks stay safe."""
    return ["cuda", "cpu"] if _gpu_count() > 0 else ["cpu"]


def _gpu_count() -> int:
    # device_count() asks NVML where it can, and does not create a context.
    return torch.cuda.device_count() if torch.backends.cuda.is_built() else 0
