"""Looking at an arm from outside while it works: the memory of its process tree, and the slow counters of its GPU."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Self

import psutil

from bench.nvml import Gpu, RefusedError, current_gpu

TREE_PERIOD_S = 0.02
GPU_PERIOD_S = 0.1


class _Watcher:
    """Calls ``look`` every ``period`` seconds in a thread while the block runs, and once more at its end."""

    period = TREE_PERIOD_S

    def __init__(self) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def look(self) -> None:
        """Take one look."""

    def _watch(self) -> None:
        self.look()
        while not self._stop.wait(self.period):
            self.look()
        # What a short block built between two looks and holds still would be missed by chance.
        self.look()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()


class TreeMemory(_Watcher):
    """The highest proportional set size (bytes; shared pages counted once) of a process and all its descendants."""

    def __init__(self, pid: int) -> None:
        super().__init__()
        self._root = psutil.Process(pid)
        self.peak = 0

    def look(self) -> None:
        """Add up the tree now."""
        try:
            tree = [self._root, *self._root.children(recursive=True)]
        except psutil.Error:
            return
        self.peak = max(self.peak, sum(_pss(p) for p in tree))


def _pss(process: psutil.Process) -> int:
    try:
        memory = process.memory_full_info()
    except psutil.Error:
        return 0
    return int(getattr(memory, "pss", memory.rss))


class DeviceCounters(_Watcher):
    """Energy and utilisation of the current GPU over the block; on a CPU, the reason why there are none."""

    period = GPU_PERIOD_S

    def __init__(self, device: str) -> None:
        super().__init__()
        self._gpu: Gpu | None = None
        self._refusals: dict[str, str] = {}
        self._busy: list[float] = []
        self._joules: float | None = None
        try:
            if device != "cuda":
                raise RefusedError(f"{device} has no energy or utilisation counter that torchproof reads")
            self._gpu = current_gpu()
            self._joules = self._energy()
        except RefusedError as refused:
            self._refusals = {"energy": str(refused), "utilisation": str(refused)}

    def look(self) -> None:
        """Read the utilisation now."""
        if self._gpu is None or "utilisation" in self._refusals:
            return
        try:
            self._busy.append(self._gpu.utilisation())
        except RefusedError as refused:
            self._refusals["utilisation"] = str(refused)

    def per_step(self, steps: int) -> dict[str, float | str]:
        """Joules per step and the mean utilisation, or a reason in place of a number. Call after the block."""
        found: dict[str, float | str] = dict(self._refusals)
        after = self._energy()
        if after is not None and self._joules is not None:
            found["energy"] = (after - self._joules) / steps
        if self._busy and "utilisation" not in found:
            found["utilisation"] = sum(self._busy) / len(self._busy)
        return found

    def _energy(self) -> float | None:
        if self._gpu is None:
            return None
        try:
            return self._gpu.energy_j()
        except RefusedError as refused:
            self._refusals["energy"] = str(refused)
            return None


def quiet_for(seconds: float) -> float:
    """CPU share that others used over the next ``seconds`` (1 is one core), while this process sleeps."""
    before = psutil.cpu_times()
    begin = time.monotonic()
    time.sleep(seconds)
    after = psutil.cpu_times()
    busy = sum(after) - sum(before) - (after.idle - before.idle) - (after.iowait - before.iowait)
    return max(0.0, float(busy)) / (time.monotonic() - begin)
