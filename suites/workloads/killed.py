"""Ways to save a checkpoint, and a training in a process of its own that is killed: what is left of it on disk."""

from __future__ import annotations

import copy
import io
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any

import torch

STEPS = 12
KILLED_AFTER = 10
NUMBERS = 4096

State = dict[str, Any]
Write = Callable[[State, Path], None]
Save = Callable[[State, Path, Write], "threading.Thread | None"]


def in_place(state: State, folder: Path, write: Write) -> None:
    """Over the last one."""
    write(state, folder / "checkpoint.pth")


def atomic(state: State, folder: Path, write: Write) -> None:
    """Beside the last one, in whose place the whole file is then put in one go."""
    part = folder / "checkpoint.part"
    write(state, part)
    part.replace(folder / "checkpoint.pth")


def file_per_save(state: State, folder: Path, write: Write) -> None:
    """A file for every save; none is removed."""
    write(state, folder / f"checkpoint-{state['step']:04}.pth")


def asynchronous(state: State, folder: Path, write: Write) -> threading.Thread:
    """A copy in memory, which a thread writes while training goes on."""
    thread = threading.Thread(target=atomic, args=(copy.deepcopy(state), folder, write))
    thread.start()
    return thread


def after_the_kill(folder: Path, save: Save, every: int, moment: str) -> dict[str, float]:
    """Train in a process that is killed at ``moment``: steps lost, and the share of checkpoints that cannot be read."""
    fork = multiprocessing.get_context("fork")
    done = fork.Value("i", 0)
    child = fork.Process(target=_train, args=(folder, save, every, moment, done))
    child.start()
    child.join()
    if child.exitcode != -signal.SIGKILL:
        raise RuntimeError(f"the training was to be killed and ended with exit code {child.exitcode}")
    steps, damaged = _left(folder)
    return {"lost": done.value - steps, "damaged": damaged}


def _train(folder: Path, save: Save, every: int, moment: str, done: Synchronized[int]) -> None:
    """Train to the kill: after step 10 with every save on disk, or within the write of the save after step 12."""
    weights, writing = torch.ones(NUMBERS), None
    for step in range(1, STEPS + 1):
        weights *= 0.99
        done.value = step
        if step % every == 0:
            finish(writing)
            write = _killed_half_way if step == STEPS else torch.save
            writing = save({"step": step, "weights": weights}, folder, write)
        if moment == "between-saves" and step == KILLED_AFTER:
            finish(writing)
            os.kill(os.getpid(), signal.SIGKILL)
    finish(writing)


def finish(writing: threading.Thread | None) -> None:
    """Wait for a save that a thread writes, if one does."""
    if writing is not None:
        writing.join()


class _Fatal(io.FileIO):
    """A file that kills the process which writes to it as soon as it holds ``limit`` bytes."""

    def __init__(self, path: Path, limit: int) -> None:
        super().__init__(path, "wb")
        self._limit = limit

    def write(self, data: Any) -> int:
        left = self._limit - self.tell()
        if len(data) < left:
            return super().write(data)
        super().write(data[:left])
        os.kill(os.getpid(), signal.SIGKILL)
        return left


def _killed_half_way(state: State, path: Path) -> None:
    torch.save(state, _Fatal(path, limit=state["weights"].nbytes // 2))


def _left(folder: Path) -> tuple[int, float]:
    """The step of the newest checkpoint that can be read, 0 without one, and the share that cannot."""
    files, newest, damaged = list(folder.glob("*.pth")), 0, 0
    for path in files:
        try:
            newest = max(newest, torch.load(path, weights_only=True)["step"])
        except (RuntimeError, OSError, EOFError):
            damaged += 1
    return newest, damaged / max(1, len(files))
