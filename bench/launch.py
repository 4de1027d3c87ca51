"""Starting fresh processes for arms, talking to them with a time limit, and saying how one died."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import psutil

from bench import wire
from bench.forkserver import send_descriptors
from bench.memory import memory_here

START_SECONDS = 120.0
# A fork takes milliseconds; one that was asked for in this time and did not come has met a stopped process.
FORK_SECONDS = 30.0
LAST_LINES = 12
LINE_LENGTH = 300
LONGEST_LOG = 16 * 2**20
END_SECONDS = 10.0
SERVER_BYTES = 0.4 * 2**30
# A crash's traceback ends in our own frames and a list of modules, which push out the line that matters.
_OURS = ("bench/forkserver.py", "<frozen runpy>", "Extension modules:", "bench/arm.py")
_WATCH_SECONDS = 0.25


def environment_of_children() -> dict[str, str]:
    """This process's variables, with which another Python finds the modules that this one finds."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}


class ArmDiedError(Exception):
    """A process ended, hung or outgrew its memory; ``reason`` is one line, ``said`` what it printed last."""

    def __init__(self, reason: str, said: list[str]) -> None:
        super().__init__(reason)
        self.reason = reason
        self.said = said


class Process:
    """A forked process, seen from the run: ask it something, then close it."""

    def __init__(self, channel: Connection, pid: int, log: Path, parent: Forker) -> None:
        self.pid = pid
        self.log = log
        self.channel = channel
        self._parent = parent
        self._closed = False

    def ask(self, message: wire.Message, seconds: float, memory_limit: float | None = None) -> wire.Message:
        """Send a request and wait for its answer. Raises ArmDiedError past ``seconds`` or ``memory_limit`` bytes."""
        self.say(message)
        return self.hear(seconds, memory_limit)

    def say(self, message: wire.Message) -> None:
        """Send a request without waiting for its answer; raises as ``ask`` does."""
        try:
            wire.send(self.channel, message)
        except OSError as gone:
            raise ArmDiedError(self._how_it_ended(), self.last_words()) from gone

    def hear(self, seconds: float, memory_limit: float | None = None) -> wire.Message:
        """Wait for what it says next; raises as ``ask`` does."""
        try:
            self._await(seconds, memory_limit)
            return wire.receive(self.channel)
        except (EOFError, OSError) as gone:
            raise ArmDiedError(self._how_it_ended(), self.last_words()) from gone
        except ValueError as garbled:
            self.kill()
            raise ArmDiedError(
                f"answered with something that is no message ({garbled})", self.last_words()
            ) from garbled

    def kill(self) -> None:
        """End the process; what it started is ended by whoever waits for it."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self.pid, signal.SIGKILL)

    def close(self, adopted: bool = False) -> None:
        """End the process if it still runs, and its group; its log goes with it.

        ``adopted`` ends what its parent adopted, too.
        """
        if self._closed:
            return
        self._closed = True
        self.channel.close()
        self.kill()
        if self._parent.wait(self.pid, END_SECONDS, adopted) is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        self.log.unlink(missing_ok=True)

    def last_words(self) -> list[str]:
        """The last lines that the process printed."""
        try:
            with self.log.open("rb") as file:
                file.seek(max(0, self.log.stat().st_size - 20_000))
                lines = file.read().decode(errors="replace").splitlines()
        except OSError:
            return []
        told = [line for line in lines if line.strip() and not any(o in line for o in _OURS)]
        return [line[:LINE_LENGTH] for line in told][-LAST_LINES:]

    def _await(self, seconds: float, memory_limit: float | None) -> None:
        deadline = time.monotonic() + seconds
        self._shorten_log()
        while not self.channel.poll(min(_WATCH_SECONDS, max(0.0, deadline - time.monotonic()))):
            if memory_limit is not None and (used := self._resident()) > memory_limit:
                self.kill()
                told = f"used {used / 2**30:.1f} GiB of memory > {memory_limit / 2**30:.1f} GiB allowed"
                raise ArmDiedError(told, self.last_words())
            self._shorten_log()
            if self._has_ended() and not self.channel.poll():
                # A child of it may hold the other end of the channel open.
                raise EOFError
            if time.monotonic() >= deadline:
                self.kill()
                raise ArmDiedError(f"did not answer within {seconds:.3g} s", self.last_words())

    def _shorten_log(self) -> None:
        """Nobody reads more than the last lines, and an arm that prints for a minute would fill the disk."""
        with contextlib.suppress(OSError):
            if self.log.stat().st_size > LONGEST_LOG:
                os.truncate(self.log, 0)

    def _has_ended(self) -> bool:
        try:
            return bool(psutil.Process(self.pid).status() == psutil.STATUS_ZOMBIE)
        except psutil.Error:
            return True

    def _resident(self) -> int:
        try:
            return int(psutil.Process(self.pid).memory_info().rss)
        except psutil.Error:
            return 0

    def _how_it_ended(self) -> str:
        status = self._parent.wait(self.pid, seconds=2.0)
        if status is None:
            self.kill()
            if self._parent.gone:
                return "died with the process that had forked it, which was killed"
            return "closed its pipes and went on running; killed"
        if status < 0:
            name = signal.Signals(-status).name
            hint = " (the kernel may have run out of memory)" if name == "SIGKILL" else ""
            return f"died of {name}{hint}"
        words = self.last_words()
        cause = next((w for w in reversed(words) if not w.startswith(" ")), "")
        return f"ended with exit code {status}{f': {cause}' if cause else ''}"


class Forker:
    """The near end of a fork server or nursery."""

    def __init__(self, channel: Connection, descriptors: socket.socket, folder: Path) -> None:
        self._channel = channel
        self._descriptors = descriptors
        self._folder = folder
        self._count = 0
        self.fault: str | None = None
        self.cpu_seconds = 0.0

    @property
    def gone(self) -> bool:
        """Whether it is of no more use, since it ended or did not answer."""
        return self.fault is not None

    def fork(self, request: wire.Message) -> tuple[Process, socket.socket]:
        """A fresh process, and the socket that passes open files to it.

        Raises ArmDiedError if the forker is gone or does not answer.
        """
        if self.fault is not None:
            raise ArmDiedError(self.fault, [])
        near, far = multiprocessing.Pipe()
        near_socket, far_socket = socket.socketpair()
        self._count += 1
        log = self._folder / f"{os.getpid()}-{id(self):x}-{self._count}.log"
        with far, far_socket, _opened(log) as file:
            try:
                wire.send(self._channel, {"do": "fork", **request})
                send_descriptors(self._descriptors, far.fileno(), far_socket.fileno(), file.fileno())
                pid = self._hear(FORK_SECONDS)["pid"]
            except (EOFError, OSError) as gone:
                raise ArmDiedError(self._lost(gone), []) from gone
        return Process(near, pid, log, self), near_socket

    def wait(self, pid: int, seconds: float, adopted: bool = False) -> int | None:
        """The exit status of a process forked here; None when it has not ended by then or the forker is gone.

        ``adopted`` ends the processes that were adopted there, too.
        """
        if self.gone:
            return None
        try:
            wire.send(self._channel, {"do": "wait", "pid": pid, "seconds": seconds, "adopted": adopted})
            answer = self._hear(seconds + FORK_SECONDS)
        except (EOFError, OSError) as gone:
            self._lost(gone)
            return None
        self.cpu_seconds = answer["cpu"]
        status = answer["status"]
        return int(status) if status is not None else None

    def _lost(self, error: OSError | EOFError) -> str:
        self.fault = str(error) if isinstance(error, TimeoutError) else "the fork server is gone"
        return self.fault

    def _hear(self, seconds: float) -> wire.Message:
        if not self._channel.poll(seconds):
            raise TimeoutError(f"the fork server did not answer within {seconds:.3g} s")
        return wire.receive(self._channel)


def _opened(log: Path) -> BinaryIO:
    """For appending, so that what is written after the log was shortened begins at its new end."""
    try:
        return log.open("ab")
    except OSError as error:
        raise ArmDiedError(f"{log} cannot be written ({error.strerror})", []) from error


class Nursery:
    """A process that has imported a pair's file and forks its arms."""

    def __init__(self, process: Process, descriptors: socket.socket, folder: Path) -> None:
        self._process = process
        self._forker = Forker(process.channel, descriptors, folder)

    def arm(self, request: wire.Message) -> Process:
        """A fresh process that will live as one arm."""
        return self._fork("arm", request)

    def usage(self, request: wire.Message) -> Process:
        """A fresh process that will try one usage of the file."""
        return self._fork("usage", request)

    def _fork(self, kind: str, request: wire.Message) -> Process:
        process, descriptors = self._forker.fork({"kind": kind, **request})
        descriptors.close()
        return process

    @property
    def cpu_seconds(self) -> float:
        """CPU time of all the arms that have ended."""
        return self._forker.cpu_seconds

    def close(self) -> None:
        """End the nursery, and what its arms left behind."""
        self._process.close(adopted=True)


@dataclass
class Server:
    """A fork server, which may still be importing torch."""

    process: subprocess.Popen[bytes]
    channel: Connection
    forker: Forker
    _started: bool = False

    @property
    def lives(self) -> bool:
        """Whether it can still be asked."""
        return not self.forker.gone and self.process.poll() is None

    def await_start(self) -> None:
        """Return once it takes requests. Raises ArmDiedError if it does not come to that."""
        if self._started:
            return
        if not self.channel.poll(START_SECONDS):
            self.process.kill()
            self.process.wait()
            raise ArmDiedError(f"the fork server did not start within {START_SECONDS:.0f} s", [])
        try:
            wire.receive(self.channel)
        except EOFError as gone:
            raise ArmDiedError(f"the fork server ended with exit code {self.process.wait()}", []) from gone
        self._started = True

    def end(self) -> None:
        """Give it the time to end what descends from it."""
        self.process.terminate()
        try:
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


# A fork server's number, and the extra variables that it has.
ServerKey = tuple[int, frozenset[tuple[str, str]]]
PLAIN_SERVER: ServerKey = (0, frozenset())


class Launcher:
    """Keeps fork servers and opens nurseries on them. Use as a context manager.

    What is forked shares what chance gave its server when it started: where code and data lie, and the seed of
    Python's hashes. So there are several, ``most_servers`` at most: what a quarter of the free memory holds.
    """

    def __init__(self) -> None:
        self.most_servers = max(1, int(memory_here().free / 4 / SERVER_BYTES))
        self._folder = tempfile.TemporaryDirectory(prefix="torchproof-", ignore_cleanup_errors=True)
        self._servers: dict[ServerKey, Server] = {}

    def __enter__(self) -> Launcher:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in self._servers.values():
            server.end()
        self._servers.clear()
        self._folder.cleanup()

    @property
    def folder(self) -> Path:
        """A folder for the run's temporary files; gone when the launcher is."""
        return Path(self._folder.name)

    def nursery(self, file: Path, key: ServerKey = PLAIN_SERVER) -> Nursery:
        """A nursery for the pairs of ``file``, from that fork server. Raises ArmDiedError if it cannot import it."""
        request = {"kind": "nursery", "file": str(file)}
        try:
            process, descriptors = self._server(key).fork(request)
        except ArmDiedError:
            # An arm may have taken the server with it; a new one owes nothing to the old.
            self._forget(key)
            process, descriptors = self._server(key).fork(request)
        try:
            process.hear(START_SECONDS)
        except ArmDiedError:
            process.close(adopted=True)
            raise
        return Nursery(process, descriptors, self.folder)

    def start_servers(self, number: int) -> None:
        """Start the first ``number`` fork servers side by side, so that none imports torch while a pair is timed.

        One that cannot start is left to whoever needs it.
        """
        for server in [self._begun((i, frozenset())) for i in range(number)]:
            with contextlib.suppress(ArmDiedError):
                server.await_start()

    def _server(self, key: ServerKey) -> Forker:
        server = self._begun(key)
        server.await_start()
        return server.forker

    def _begun(self, key: ServerKey) -> Server:
        """The server if it lives, or a new one, which may still be importing torch."""
        if key in self._servers and not self._servers[key].lives:
            self._forget(key)
        if key not in self._servers:
            self._servers[key] = self._start(dict(key[1]))
        return self._servers[key]

    def _forget(self, key: ServerKey) -> None:
        self._servers.pop(key).end()

    def _start(self, environment: Mapping[str, str]) -> Server:
        near, far = multiprocessing.Pipe()
        near_socket, far_socket = socket.socketpair()
        # What torch, multiprocessing and the arms leave in the temporary folder then goes with the run's own.
        variables = {**environment_of_children(), "TMPDIR": str(self.folder), **environment}
        fds = (far.fileno(), far_socket.fileno())
        command = [sys.executable, "-m", "bench.forkserver", *map(str, fds), str(self.folder)]
        process = subprocess.Popen(command, env=variables, pass_fds=fds, start_new_session=True)
        far.close()
        far_socket.close()
        return Server(process, near, Forker(near, near_socket, self.folder))
