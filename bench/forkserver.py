"""A process that forks fresh processes cheaply: torch imported, CUDA never touched, nothing run.

The run starts one server per environment. It forks a nursery per pair, which imports the pair's file once; the nursery
forks the arms. Both serve the same two requests: fork, and wait for a process that was forked. Every process leads its
own session, so that killing the group ends the children it may have left, and dies with its parent.

We do not use multiprocessing's fork server: it cannot fork from a process that has imported the pair's file, runs the
main script again in every child, and does not tell the exit status of a child that somebody else killed.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import gc
import importlib
import os
import resource
import signal
import socket
import sys
import time
import traceback
from multiprocessing.connection import Connection
from pathlib import Path

from bench import wire

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def send_descriptors(over: socket.socket, *descriptors: int) -> None:
    """Pass open files to the process at the other end of a Unix socket."""
    socket.send_fds(over, [b"."], list(descriptors))


def serve(channel: Connection, descriptors: socket.socket) -> None:
    """Answer requests until the other side is gone: fork a nursery or an arm, or wait for one."""
    children = Children()
    while True:
        try:
            request = wire.receive(channel)
        except EOFError:
            return
        if request["do"] == "fork":
            _, (child_channel, child_descriptors, log), _, _ = socket.recv_fds(descriptors, 1, 3)
            pid = os.fork()
            if pid == 0:
                channel.close()
                descriptors.close()
                _become(request, child_channel, child_descriptors, log)
            for fd in (child_channel, child_descriptors, log):
                os.close(fd)
            wire.send(channel, {"pid": pid})
        else:
            status = children.wait(request["pid"], request["seconds"])
            wire.send(channel, {"status": status, "cpu": _cpu_of_children()})


def _become(request: wire.Message, channel_fd: int, descriptors_fd: int, log: int) -> None:
    """The forked child: an own session, its output in the log, then a nursery or an arm. Does not return."""
    os.setsid()
    die_with_parent()
    _prefer_as_oom_victim()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    faulthandler.enable()
    code = 1
    try:
        channel = Connection(channel_fd)
        if request["kind"] == "nursery":
            _be_nursery(request, channel, socket.socket(fileno=descriptors_fd))
        else:
            os.close(descriptors_fd)
            from bench import arm, trial

            {"arm": arm.live, "usage": trial.live}[request["kind"]](channel, request)
        code = 0
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    finally:
        if sys.exception() is not None:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _be_nursery(request: wire.Message, channel: Connection, descriptors: socket.socket) -> None:
    from bench.collect import load_pairs

    become_subreaper()
    load_pairs(Path(request["file"]))
    freeze()
    wire.send(channel, {"ready": True})
    serve(channel, descriptors)


def freeze() -> None:
    """What is here already never has to be looked at again: not by a nursery, nor by an arm between its samples."""
    gc.collect()
    gc.freeze()


class Children:
    """The exit status of every process that was forked or adopted here, kept for whoever asks later."""

    def __init__(self) -> None:
        self._ended: dict[int, int] = {}

    def wait(self, pid: int, seconds: float) -> int | None:
        """The exit status of ``pid`` (negative is a signal), its group killed after it; None if it does not end."""
        deadline = time.monotonic() + seconds
        while self._collect() and pid not in self._ended:
            if time.monotonic() > deadline:
                return None
            time.sleep(0.001)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        return self._ended.get(pid)

    def _collect(self) -> bool:
        """Note every child that has ended; whether any is left."""
        try:
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                self._ended[found[0]] = os.waitstatus_to_exitcode(found[1])
        except ChildProcessError:
            return False
        return True


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def die_with_parent() -> None:
    """Ask the kernel to end this process when the thread that made it ends, however it ends."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def become_subreaper() -> None:
    """Adopt the orphans of this process's children, so that none outlives the pair."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _prefer_as_oom_victim() -> None:
    """When memory runs out the kernel should end this process and not the run."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def main() -> None:
    """``python -m bench.forkserver CHANNEL_FD DESCRIPTORS_FD``, started by bench.launch."""
    die_with_parent()
    import torch

    # The first optimizer of a process imports torch._dynamo, which takes a second or two, and our own modules bring
    # pydantic; every nursery or arm would pay for them anew.
    for name in ("torch._dynamo", "bench.arm", "bench.trial"):
        importlib.import_module(name)

    if torch.cuda.is_initialized():
        raise SystemExit("CUDA was initialised by importing torch; no process could be forked safely")
    become_subreaper()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    freeze()
    channel, descriptors = Connection(int(sys.argv[1])), socket.socket(fileno=int(sys.argv[2]))
    wire.send(channel, {"ready": True})
    serve(channel, descriptors)


if __name__ == "__main__":
    main()
