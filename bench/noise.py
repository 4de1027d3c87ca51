"""How busy the machine is, and which core is the quietest. Noise is written down, never hoped away."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from typing import Literal

import psutil

from bench.nvml import Gauges, RefusedError, current_gpu
from bench.results import Noise

GLANCE_S = 0.1


class NoiseMeter:
    """Adds up what happened on the machine between ``start`` and ``stop``, over one or several stretches.

    ``gauges`` reads the GPU at the end of each stretch, while it is still warm; None where there is none to read.
    """

    def __init__(self, gauges: Callable[[], Gauges] | None = None) -> None:
        self._gauges = gauges
        self._seen: list[Gauges] = []
        self._wall = self._busy = self._steal = self._own = self._total = 0.0
        self._begin: tuple[float, float, float, float, float] | None = None

    def start(self) -> None:
        """A stretch begins."""
        self._begin = (time.monotonic(), *_cpu_times(), time.process_time())

    def stop(self, own_cpu: float) -> None:
        """A stretch ends; ``own_cpu`` is the CPU seconds that the run's own processes used in it."""
        if self._begin is None:
            return
        wall, busy, steal, total, own = self._begin
        now_busy, now_steal, now_total = _cpu_times()
        self._wall += time.monotonic() - wall
        self._busy += now_busy - busy
        self._steal += now_steal - steal
        self._total += now_total - total
        self._own += own_cpu + time.process_time() - own
        self._begin = None
        if self._gauges is not None:
            with contextlib.suppress(RefusedError):
                self._seen.append(self._gauges())

    def read(self) -> Noise:
        """What was seen so far."""
        if not self._wall or not self._total:
            return Noise()
        return Noise(
            load=round(psutil.getloadavg()[0], 2),
            steal=round(self._steal / self._total, 4),
            others=round(max(0.0, self._busy - self._own) / self._wall, 2),
            mhz=min((g.mhz for g in self._seen if g.mhz is not None), default=None),
            celsius=max((g.celsius for g in self._seen if g.celsius is not None), default=None),
            throttle=sorted({reason for g in self._seen for reason in g.throttle}),
        )


def gpu_gauges() -> Gauges:
    """The current GPU's clocks, heat and slowdowns now. Raises RefusedError."""
    return current_gpu().gauges()


def _cpu_times() -> tuple[float, float, float]:
    """CPU seconds of the machine so far: busy, stolen by the hypervisor, all."""
    t = psutil.cpu_times()
    steal = float(getattr(t, "steal", 0.0))
    idle = float(t.idle + getattr(t, "iowait", 0.0))
    total = float(sum(t)) - float(getattr(t, "guest", 0.0)) - float(getattr(t, "guest_nice", 0.0))
    return total - idle - steal, steal, total


def usable_cores() -> list[int]:
    """The cores this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0)) or [0]
    return list(range(os.cpu_count() or 1))


def cores_for(wanted: Literal["one", "all"]) -> list[int]:
    """The cores that every arm of a pair gets: all of them, or the one that was idle most just now."""
    cores = usable_cores()
    if wanted == "all" or len(cores) == 1:
        return cores
    before = psutil.cpu_times(percpu=True)
    time.sleep(GLANCE_S)
    after = psutil.cpu_times(percpu=True)
    if max(cores) >= len(before):
        return cores[:1]
    return [max(cores, key=lambda c: after[c].idle - before[c].idle)]
