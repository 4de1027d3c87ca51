"""Real processes that tests of faults start, kill and starve; after each test nothing of them may be left.

They live in a mount namespace of their own, where it can be had, with a /dev/shm of 64 MB: what they leave there is
theirs. Processes are known by a variable in their environment, which whatever they start inherits.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import psutil
import pytest

from bench.launch import Launcher
from tests.bench.conftest import measure
from tests.faults.limits import mounted

__all__ = ["measure"]

MARK = "TORCHPROOF_TEST"
SMALL = f"{shutil.which('mount')} -t tmpfs -o size=64m tmpfs /dev/shm"

Marked = Callable[[], list[psutil.Process]]


@pytest.fixture(scope="package")
def mark() -> Iterator[str]:
    """What the environment of every process says that a test of this folder starts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(MARK, uuid.uuid4().hex)
        yield os.environ[MARK]


@pytest.fixture(scope="package")
def small_shared_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bool]:
    """Python is started where /dev/shm holds 64 MB, if this machine lets us; whether it does."""
    command = [shutil.which("unshare") or "unshare", "--mount", "/bin/sh", "-c"]
    try:
        able = subprocess.run([*command, SMALL], capture_output=True, check=False).returncode == 0
    except OSError:
        able = False
    python = tmp_path_factory.mktemp("python") / "python"
    python.write_text(f"""#!/bin/sh\nexec {" ".join(command)} '{SMALL} && exec {sys.executable} "$@"' sh "$@"\n""")
    python.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        if able:
            patch.setattr(sys, "executable", str(python))
        yield able


@pytest.fixture(scope="package")
def launcher(mark: str, small_shared_memory: bool) -> Iterator[Launcher]:
    """One fork server for all tests of this folder that do not end it."""
    with Launcher() as found:
        yield found


@pytest.fixture
def marked(mark: str) -> Marked:
    """The processes alive that a test of this folder started, however far they went from it."""

    def look() -> list[psutil.Process]:
        return [p for p in psutil.process_iter() if p.pid != os.getpid() and _mark_of(p) == mark]

    return look


@pytest.fixture(autouse=True)
def _nothing_is_left(launcher: Launcher, marked: Marked, small_shared_memory: bool) -> Iterator[None]:
    yield
    servers = {server.process.pid for server in launcher._servers.values()}

    def strays() -> list[psutil.Process]:
        return [p for p in marked() if p.pid not in servers]

    deadline = time.monotonic() + 10
    while strays() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert strays() == []
    for server in servers if small_shared_memory else ():
        assert list(Path("/proc", str(server), "root", "dev", "shm").iterdir()) == []


@pytest.fixture
def mount() -> Iterator[Callable[..., Path]]:
    """``mount(folder, "tmpfs", "size=17m")`` until the test ends; skips where that is not allowed."""
    with ExitStack() as stack:

        def enter(*arguments: str | Path) -> Path:
            context: AbstractContextManager[Path] = mounted(*arguments)
            return stack.enter_context(context)

        yield enter


def temporary_folders() -> set[Path]:
    """Where runs keep what they need while they run."""
    return set(Path(tempfile.gettempdir()).glob("torchproof-*"))


def _mark_of(process: psutil.Process) -> str | None:
    try:
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        found = process.environ().get(MARK)
    except psutil.Error:
        return None
    return found
