"""The processes of one pair at one point: started fresh, built, asked, closed."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any

from bench import wire
from bench.collect import Declared
from bench.launch import ArmDiedError, Launcher, Nursery, Process, ServerKey
from bench.memory import memory_allowance
from bench.noise import usable_cores
from bench.pair import Pair, PointValue


class BrokenError(Exception):
    """The pair cannot be measured; the message says why in one line, ``said`` is what the arm printed last."""

    def __init__(self, reason: str, said: list[str] | None = None) -> None:
        super().__init__(reason)
        self.said = said or []


class OutOfTimeError(Exception):
    """The run's budget ended while an arm was at work."""


@dataclass
class Arms:
    """Starts the arms of a pair at a point, each in a fresh process on ``cores``, while ``opened``.

    ``ends_at`` (monotonic seconds) is when the run's budget ends, whatever an arm is doing then.
    """

    declared: Declared
    value: PointValue | None
    device: str
    seed: int
    smoke: bool
    cores: list[int]
    launcher: Launcher
    ends_at: float = math.inf
    _nurseries: dict[ServerKey, Nursery] = field(default_factory=dict)

    @property
    def pair(self) -> Pair[Any]:
        """The declaration."""
        return self.declared.pair

    @property
    def names(self) -> list[str]:
        """The arms by name, the anti-pattern first."""
        return list(self.pair.arms)

    @property
    def folder(self) -> Path:
        """Where arms may leave files for one another."""
        return self.launcher.folder

    @property
    def cpu_seconds(self) -> float:
        """CPU time of the arms that have ended since ``opened`` began."""
        return sum(n.cpu_seconds for n in self._nurseries.values())

    @contextmanager
    def opened(self) -> Iterator[None]:
        """While this is open, starting an arm costs one fork. Raises BrokenError for whatever happens to an arm."""
        try:
            yield
        except ArmDiedError as died:
            raise BrokenError(died.reason, died.said) from died
        finally:
            for nursery in self._nurseries.values():
                nursery.close()
            self._nurseries.clear()

    @contextmanager
    def fresh(
        self, seed: int | None = None, shuffle: random.Random | None = None, server: int = 0
    ) -> Iterator[dict[str, Process]]:
        """A fresh, built process for every arm, by name, all from one fork server.

        They start in random order when ``shuffle`` is given.
        """
        names = shuffle.sample(self.names, len(self.names)) if shuffle else self.names
        with ExitStack() as stack:
            found = {}
            for name in names:
                found[name] = self.start(name, seed, server=server)
                stack.callback(found[name].close)
                self.ask(found[name], {"do": "build"})
            yield found

    @contextmanager
    def apart(self, seed: int | None = None, built: bool = True) -> Iterator[dict[str, Process]]:
        """A fresh process for every arm, by name, for what is not timed: on a core of its own, all built at once."""
        with ExitStack() as stack:
            found = {}
            for name, cores in zip(self.names, self._spread(), strict=False):
                found[name] = self.start(name, seed, cores)
                stack.callback(found[name].close)
            if built:
                self.ask_together(found, {"do": "build"})
            yield found

    @contextmanager
    def unbuilt(self, name: str) -> Iterator[Process]:
        """A fresh process of one arm that has not built anything yet."""
        process = self.start(name)
        try:
            yield process
        finally:
            process.close()

    def start(self, name: str, seed: int | None = None, cores: list[int] | None = None, server: int = 0) -> Process:
        """A fresh process for the arm, on its usual cores unless others are given; the caller closes it."""
        return self._nursery(self.pair.environment.get(name, {}), server).arm(
            {
                "file": str(self.declared.file),
                "pair": self.declared.id,
                "arm": name,
                "device": self.device,
                "seed": self.seed if seed is None else seed,
                "smoke": self.smoke,
                "value": self.value,
                "cores": self.cores if cores is None else cores,
                "folder": str(self.folder),
            }
        )

    def ask(self, process: Process, message: wire.Message) -> wire.Message:
        """Ask within the pair's limits of time and memory. Raises OutOfTimeError when the run's budget ends first."""
        with self._in_time():
            return process.ask(message, self._seconds(), self._memory_limit())

    def ask_together(self, processes: Mapping[str, Process], message: wire.Message) -> dict[str, wire.Message]:
        """Ask all at once and wait for every answer: for what is not timed."""
        return self.ask_each(processes, dict.fromkeys(processes, message))

    def ask_each(
        self, processes: Mapping[str, Process], messages: Mapping[str, wire.Message]
    ) -> dict[str, wire.Message]:
        """The same with a message for each."""
        for name, process in processes.items():
            process.say(messages[name])
        with self._in_time():
            return {name: p.hear(self._seconds(), self._memory_limit()) for name, p in processes.items()}

    def _spread(self) -> Iterator[list[int]]:
        """Core by core for arms that take one, so that they do not wait for each other."""
        return cycle([[core] for core in usable_cores()] if self.pair.cores == "one" else [self.cores])

    def _seconds(self) -> float:
        return min(self.pair.timeout, max(0.0, self.ends_at - time.monotonic()))

    @contextmanager
    def _in_time(self) -> Iterator[None]:
        try:
            yield
        except ArmDiedError as died:
            if time.monotonic() >= self.ends_at:
                raise OutOfTimeError from died
            raise

    def _memory_limit(self) -> float:
        limit = self.pair.memory_limit_gib
        return limit * 2**30 if limit else memory_allowance()

    def _nursery(self, environment: Mapping[str, str], server: int) -> Nursery:
        key = (server, frozenset(environment.items()))
        if key not in self._nurseries:
            self._nurseries[key] = self.launcher.nursery(self.declared.file, key)
        return self._nurseries[key]
