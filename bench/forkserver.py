"""A process that forks fresh processes cheaply: torch imported, CUDA never touched, nothing run.

The run starts one server per environment. It forks a nursery per pair, which imports the pair's file once; the nursery
forks the arms. Both serve the same two requests: fork, and wait for a process that was forked.

Nothing outlives the run, however it ends. Every process leads its own session, so that a signal to the group reaches
the children of an arm; server and nursery adopt those that left the group, and end them before they end themselves.
What an arm leaves behind is asked to end first, so that whoever keeps its shared memory can remove it.

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
import shutil
import signal
import socket
import sys
import time
import traceback
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType

import psutil

from bench import wire

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PARENT_ENDED = signal.SIGHUP
ENDINGS = (signal.SIGTERM, PARENT_ENDED)
# How long the rest of an arm's group may take to end when asked, and after SIGKILL.
GROUP_S = 0.5
DEATH_S = 2.0
# Torch's keeper of shared memory removes what its last client left, but waits two seconds for another one first.
KEEPER = "torch_shm_manager"
KEEPER_S = 3.0
SHARED_MEMORY = Path("/dev/shm")


def send_descriptors(over: socket.socket, *descriptors: int) -> None:
    """Pass open files to the process at the other end of a Unix socket."""
    socket.send_fds(over, [b"."], list(descriptors))


def serve(channel: Connection, descriptors: socket.socket) -> None:
    """Answer requests until the other side is gone: fork a nursery or an arm, or wait for one. Leaves no process.

    What is adopted from arms goes with their nursery, since it may serve one that still lives.
    """
    children = Children()
    try:
        # The other side may go at any moment, also while it is being answered.
        with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
            _answer(channel, descriptors, children)
    finally:
        if os.getpid() == children.parent:
            # When the run is killed its channel may close first, and then comes the signal of its death.
            for number in ENDINGS:
                signal.signal(number, signal.SIG_IGN)
            children.end_all()


def _answer(channel: Connection, descriptors: socket.socket, children: Children) -> None:
    while True:
        request = wire.receive(channel)
        if request["do"] == "fork":
            _, (child_channel, child_descriptors, log), _, _ = socket.recv_fds(descriptors, 1, 3)
            pid = os.fork()
            if pid == 0:
                channel.close()
                descriptors.close()
                _become(request, child_channel, child_descriptors, log)
            children.alive.add(pid)
            for fd in (child_channel, child_descriptors, log):
                os.close(fd)
            wire.send(channel, {"pid": pid})
        else:
            status = children.wait(request["pid"], request["seconds"])
            if request["adopted"] and not children.alive:
                children.end_adopted()
            wire.send(channel, {"status": status, "cpu": _cpu_of_children()})


def _become(request: wire.Message, channel_fd: int, descriptors_fd: int, log: int) -> None:
    """The forked child: an own session, its output in the log, then a nursery or an arm. Does not return."""
    os.setsid()
    for number in ENDINGS:
        signal.signal(number, signal.SIG_DFL)
    die_with_parent(signal.SIGKILL)
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
    end_tidily()
    load_pairs(Path(request["file"]))
    freeze()
    wire.send(channel, {"ready": True})
    serve(channel, descriptors)


def freeze() -> None:
    """What is here already never has to be looked at again: not by a nursery, nor by an arm between its samples."""
    gc.collect()
    gc.freeze()


class Children:
    """The processes that were forked or adopted here: the exit status of each, kept for whoever asks later.

    ``alive`` are those forked here that have not ended yet.
    """

    def __init__(self) -> None:
        self.parent = os.getpid()
        self.alive: set[int] = set()
        self._ended: dict[int, int] = {}

    def wait(self, pid: int, seconds: float) -> int | None:
        """The exit status of ``pid`` (negative is a signal), what it left ended after it; None if it does not end."""
        deadline = time.monotonic() + seconds
        while self._collect() and pid not in self._ended:
            if time.monotonic() > deadline:
                return None
            time.sleep(0.001)
        self._end_group(pid)
        return self._ended.get(pid)

    def end_all(self) -> None:
        """End everything that descends from this process."""
        for pid in set(self.alive):
            os.kill(pid, signal.SIGKILL)
        self.end_adopted()

    def end_adopted(self) -> None:
        """End what was adopted here; keepers of shared memory get the time to end by themselves."""
        patient_until = time.monotonic() + KEEPER_S
        while self._collect() and time.monotonic() < patient_until + DEATH_S:
            for child in psutil.Process().children(recursive=True):
                with contextlib.suppress(psutil.Error):
                    if child.name() != KEEPER or time.monotonic() >= patient_until:
                        child.kill()
            time.sleep(0.005)
        _remove_names_without_memory()

    def _end_group(self, leader: int) -> None:
        """End what is left of a process's group: asked first, which a keeper of shared memory takes as its cue."""
        deadline = time.monotonic() + GROUP_S
        left = _signal_group(leader, signal.SIGTERM)
        while left and time.monotonic() < deadline:
            self._collect()
            time.sleep(0.001)
            left = _signal_group(leader, 0)
        _signal_group(leader, signal.SIGKILL)

    def _collect(self) -> bool:
        """Note every child that has ended; whether any is left."""
        try:
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                self._ended[found[0]] = os.waitstatus_to_exitcode(found[1])
                self.alive.discard(found[0])
        except ChildProcessError:
            return False
        return True


def _remove_names_without_memory() -> None:
    """When /dev/shm is full torch leaves a name there, with no memory behind it; remove those whose maker is dead."""
    for file in SHARED_MEMORY.glob("torch_*_*"):
        with contextlib.suppress(OSError, ValueError):
            found, maker = file.stat(), int(file.name.split("_")[1])
            if found.st_blocks == 0 and found.st_uid == os.getuid() and not psutil.pid_exists(maker):
                file.unlink()


def _signal_group(leader: int, number: int) -> bool:
    """Send a signal to the group that ``leader`` led; whether there was anybody in it."""
    try:
        os.killpg(leader, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def die_with_parent(number: int) -> None:
    """Ask the kernel to send this process a signal when the thread that made it ends, however it ends."""
    _prctl(PR_SET_PDEATHSIG, number)


def end_tidily() -> None:
    """End on SIGTERM, and when the parent ends, but not without ending what descends from this process.

    Who the parent is then says nothing: of a killed process the thread that started us may end before the others.
    """

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    for number in ENDINGS:
        signal.signal(number, leave)
    die_with_parent(PARENT_ENDED)


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
    """``python -m bench.forkserver CHANNEL_FD DESCRIPTORS_FD FOLDER``, started by bench.launch."""
    end_tidily()
    import torch

    # The first optimizer of a process imports torch._dynamo, which takes a second or two, and our own modules bring
    # pydantic; every nursery or arm would pay for them anew.
    for name in ("torch._dynamo", "bench.arm", "bench.trial"):
        importlib.import_module(name)
    # Most pairs' files import torchvision. One that is missing or was built for another torch is their own affair.
    with contextlib.suppress(ImportError, RuntimeError):
        importlib.import_module("torchvision")

    if torch.cuda.is_initialized():
        raise SystemExit("CUDA was initialised by importing torch; no process could be forked safely")
    become_subreaper()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    freeze()
    channel, descriptors = Connection(int(sys.argv[1])), socket.socket(fileno=int(sys.argv[2]))
    run_is_gone = False
    try:
        with contextlib.suppress(BrokenPipeError):
            wire.send(channel, {"ready": True})
        serve(channel, descriptors)
        run_is_gone = True
    except SystemExit as stop:
        run_is_gone = stop.code == 128 + PARENT_ENDED
        raise
    finally:
        if run_is_gone:
            # Killed, it could not remove its temporary files itself.
            shutil.rmtree(sys.argv[3], ignore_errors=True)


if __name__ == "__main__":
    main()
