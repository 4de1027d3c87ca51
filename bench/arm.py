"""The life of one arm in its own process: build it, then do what the run asks until it hangs up.

Whatever an arm raises ends the process with its traceback in the log, which the run shows. Only the outcome metric
and the metrics read from results look at an exception themselves.
"""

from __future__ import annotations

import gc
import os
import random
import re
import resource
import tempfile
import time
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import numpy as np
import torch

from bench import wire
from bench.collect import load_pairs
from bench.devices import Device, device_named
from bench.inputs import digest, overwrite, plain
from bench.metrics import Metric
from bench.pair import Pair, Setup, Step

WARNING_LENGTH = 300
STEADY = 0.02
UNDISTURBED = 0.99
_FROM_A_WORKER = "\nOriginal Traceback (most recent call last):"
# Some of torch's messages are written in bold, for terminals.
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def live(channel: Connection, request: wire.Message) -> None:
    """Answer the run's requests, each with one message, until it hangs up."""
    settle(request)
    declared = next(d for d in load_pairs(Path(request["file"])) if d.id == request["pair"])
    with tempfile.TemporaryDirectory(dir=request["folder"]) as folder:
        life = Life(declared.pair, request, Path(folder))
        while True:
            try:
                asked = wire.receive(channel)
            except EOFError:
                return
            wire.send(channel, getattr(life, f"do_{asked.pop('do')}")(**asked))


def settle(request: wire.Message) -> None:
    """Take the cores, threads and seeds that the request names."""
    if hasattr(os, "sched_setaffinity") and request["cores"]:
        os.sched_setaffinity(0, request["cores"])
    torch.set_num_threads(max(1, len(request["cores"]) or (os.cpu_count() or 1)))
    seed_everything(request["seed"])
    gc.disable()


def seed_everything(seed: int) -> None:
    """Seed Python, NumPy and torch, so that both arms draw the same numbers."""
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


class Outcome:
    """Notes how a block of code ended, and lets the process go on when it raised."""

    def __init__(self) -> None:
        self.said = "returns"

    def __enter__(self) -> Outcome:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if kind is None or not issubclass(kind, Exception):
            return False
        told = _ESCAPES.sub("", str(error)).strip()
        lines = told.splitlines() or [""]
        # What a loader's worker raised comes as its whole traceback, with its own words at the end.
        telling = lines[-1 if _FROM_A_WORKER in told else 0]
        self.said = f"raises {kind.__name__}: {telling}"[:WARNING_LENGTH]
        return True

    @property
    def raised(self) -> bool:
        """Whether the block raised."""
        return self.said != "returns"


class Life:
    """One arm of a pair, built once; each ``do_`` method answers one kind of request."""

    def __init__(self, pair: Pair[Any], request: wire.Message, folder: Path) -> None:
        self._pair = pair
        self._factory: Callable[[Any], Step] = pair.arms[request["arm"]]
        self._device: Device = device_named(request["device"])
        self._setup = Setup(
            device=self._device.torch_device,
            folder=folder,
            seed=request["seed"],
            smoke=request["smoke"],
            value=request["value"],
        )
        self._warnings: list[str] = []
        self._inputs: Any = None
        self._step: Step = _not_built

    def do_build(self) -> wire.Message:
        """Build the inputs and the arm."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            seed_everything(self._setup.seed)
            self._inputs = self._pair.inputs(self._setup)
            seed_everything(self._setup.seed)
            self._step = self._factory(self._inputs)
        self._keep_warnings(caught)
        self._device.synchronize()
        return {}

    def do_first(self) -> wire.Message:
        """The first step, timed: compilation, autotuning and lazy set-up are in it."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            begin = time.perf_counter()
            self._step()
            self._device.synchronize()
            seconds = time.perf_counter() - begin
        self._keep_warnings(caught)
        return {"seconds": seconds, "warnings": self._warnings}

    def do_warm(self, sample_s: float, limit_s: float) -> wire.Message:
        """Run until two batches in a row take the same time within 2 %, or for ``limit_s``; seconds per step."""
        begin = time.perf_counter()
        before, steps = float("inf"), 0
        while True:
            done, seconds = self._batch(sample_s)
            steps += done
            spent = time.perf_counter() - begin
            if spent >= limit_s or (seconds > before * (1 - STEADY) and steps > 1):
                return {"seconds": min(before, seconds), "steps": steps}
            before = min(before, seconds)

    def do_sample(self, inner: int, discard: bool) -> wire.Message:
        """One sample: ``inner`` steps, timed on the host and on the device, with the CPU time they used.

        ``discard`` runs one step before it, untimed, to bring the caches back after the other arm's turn.
        """
        gc.collect()
        step = self._step
        if discard:
            step()
        clock = self._device.clock()
        self._device.synchronize()
        switches = _involuntary_switches()
        cpu = time.process_time()
        begin = time.perf_counter()
        if clock is not None:
            clock.start()
        for _ in range(inner):
            step()
        device = clock.stop() if clock is not None else None
        self._device.synchronize()
        host = time.perf_counter() - begin
        used = (time.process_time() - cpu) / host if host > 0 else 1.0
        # A step that waits gives its core up by itself; only one that lost it to somebody else was disturbed.
        preempted = _involuntary_switches() > switches and used < UNDISTURBED
        return {
            "host": host / inner,
            "device": device / inner if device is not None else None,
            "cpu": used,
            "preempted": preempted,
        }

    def do_result(self, path: str) -> wire.Message:
        """Run a step, leave its result in ``path`` and say whether the inputs stayed as they were."""
        before = digest(self._inputs)
        outcome = Outcome()
        with outcome:
            result = self._step()
            self._device.synchronize()
        if not outcome.raised:
            torch.save(plain(result), path)
        return {"outcome": outcome.said, "changed": digest(self._inputs) != before}

    def do_refill(self) -> wire.Message:
        """Overwrite the inputs with those of the next seed; how many tensors changed."""
        other = Setup(
            self._setup.device, self._setup.folder, self._setup.seed + 1, self._setup.smoke, self._setup.value
        )
        seed_everything(other.seed)
        changed = overwrite(self._inputs, self._pair.inputs(other))
        seed_everything(self._setup.seed)
        return {"changed": changed}

    def do_compare(self, a: str, b: str) -> wire.Message:
        """What differs between two results, in the pair's own words; None when nothing that matters does."""
        left, right = (torch.load(path, weights_only=True) for path in (a, b))
        return {"difference": self._pair.same.difference(left, right)}

    def do_values(self, warm: bool) -> wire.Message:
        """Run one step and read every metric and trace that is read from its result; the bytes it left on disk.

        ``warm`` runs a step before it, so that what is counted by a clock has no start-up in it.
        """
        outcome, values, answers, traces = Outcome(), {}, {}, {}
        with outcome:
            if warm:
                self._step()
            result = self._step()
            self._device.synchronize()
        if not outcome.raised:
            values = {m.name: _read(m, result) for m in self._pair.metrics if m.read is not None}
            answers = {m.name: m.of(result) for m in self._pair.metrics if m.of is not None}
            traces = {t.name: [list(part) for part in t.read(result)] for t in self._pair.traces}
        if any(m.kind == "size" and m.read is None for m in self._pair.metrics):
            values["size on disk"] = float(_bytes_in(self._setup.folder))
        return {
            "outcome": outcome.said,
            "values": values,
            "of": answers,
            "traces": traces,
            "warnings": self._warnings,
        }

    def do_memory(self, repeats: int) -> wire.Message:
        """The memory pass: build everything under watch, step once, then look at ``repeats`` further steps."""

        def build() -> Step:
            self.do_build()
            return self._step

        found = self._device.memory(build, repeats)
        return {"peak_memory": [f.peak for f in found], "allocated": [f.allocated for f in found]}

    def do_run(self, seconds: float) -> wire.Message:
        """Step again and again for about ``seconds``, so that slow counters can be watched; how many steps."""
        begin, steps = time.perf_counter(), 0
        while steps == 0 or time.perf_counter() - begin < seconds:
            self._step()
            steps += 1
            if steps % 16 == 0:
                self._device.synchronize()
        self._device.synchronize()
        return {"steps": steps, "seconds": time.perf_counter() - begin}

    def _batch(self, sample_s: float) -> tuple[int, float]:
        """About ``sample_s`` of steps; their number and the seconds of each."""
        begin, steps = time.perf_counter(), 0
        while True:
            self._step()
            steps += 1
            if steps & (steps - 1) == 0:
                self._device.synchronize()
                spent = time.perf_counter() - begin
                if spent >= sample_s:
                    return steps, spent / steps

    def _keep_warnings(self, caught: list[warnings.WarningMessage]) -> None:
        self._warnings += [t for t in distinct(caught) if t not in self._warnings]


def distinct(caught: list[warnings.WarningMessage]) -> list[str]:
    """Every warning once, as ``Category: text``."""
    return list(dict.fromkeys(f"{w.category.__name__}: {w.message}"[:WARNING_LENGTH] for w in caught))


def _involuntary_switches() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw


def _read(metric: Metric, result: object) -> float:
    assert metric.read is not None
    return float(metric.read(result))


def _bytes_in(folder: Path) -> int:
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())


def _not_built() -> Literal[None]:
    raise RuntimeError("the arm was asked to step before it was built")
