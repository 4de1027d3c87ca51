"""What runs on a node of the fleet: one measuring pytest in a process of its own, whose lines and document are fetched.

It is shipped by value and needs the standard library only, so that a worker of Ray neither imports torch nor this
package beside the run that it watches over.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

# The lines that are new, the run document where it has changed, and the exit code once the run has ended.
News = tuple[list[str], bytes | None, int | None]

WAIT_S = 2.0
GOODBYE_S = 30.0
PR_SET_PDEATHSIG = 1

# Ray sets this in its workers. A run has to measure what it would when typed on this machine.
RAYS_OWN = "OMP_NUM_THREADS"


def cpu_model() -> str:
    """What this node's processor calls itself."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


class Measurer:
    """A run on this node, in the working directory that Ray unpacked. It ends with the worker that holds it."""

    def __init__(self, arguments: list[str], variables: dict[str, str], unfinished: tuple[str, bytes] | None) -> None:
        """Start it; ``unfinished`` is a document to go on with and its place under the results folder."""
        self._folder = Path(tempfile.mkdtemp(prefix="torchproof-fleet-"))
        # With "=": pytest looks for its settings above any path that stands alone.
        command = [sys.executable, "-u", "-m", "pytest", *arguments, f"--results={self._folder}"]
        if unfinished is not None:
            place, document = unfinished
            path = self._folder / place
            path.parent.mkdir(parents=True)
            path.write_bytes(document)
            command.append(f"--resume={path}")
        kept = {k: v for k, v in os.environ.items() if k != RAYS_OWN}
        libc = ctypes.CDLL(None)
        self._process = subprocess.Popen(
            command,
            env=kept | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            # A worker may be killed at any moment; SIGTERM lets the run keep what it has and end its own children.
            preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0),
        )
        self._lines: queue.Queue[str] = queue.Queue()
        self._seen = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def take(self, wait_s: float = WAIT_S, again: bool = False) -> News:
        """What is new since the last call; waits a moment for it. ``again`` when the last answer may be lost."""
        if again:
            self._seen = 0
        lines = []
        with contextlib.suppress(queue.Empty):
            lines.append(self._lines.get(timeout=wait_s))
            while True:
                lines.append(self._lines.get_nowait())
        ended = not self._reader.is_alive() and self._lines.empty()
        return lines, self._changed(), self._process.wait() if ended else None

    def stop(self) -> News:
        """End the run as Ctrl-C would; what it left."""
        self._process.terminate()
        try:
            self._process.wait(GOODBYE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._reader.join()
        return self.take(0.0, again=True)

    def clear(self) -> None:
        """Remove what the run left on this node."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\n"))

    def _changed(self) -> bytes | None:
        for path in self._folder.glob("*/*/run.json"):
            when = path.stat().st_mtime_ns
            if when != self._seen:
                self._seen = when
                return path.read_bytes()
        return None
