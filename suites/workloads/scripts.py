"""A script in a file of its own, run by an interpreter of its own, as somebody starts it from a shell."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

# Both define train(), which starts one worker process in the way that is filled in and says what came of it.
LOADER = """\
from torch.utils.data import DataLoader


def train():
    for batch in DataLoader(range(4), batch_size=2, num_workers=1, multiprocessing_context={start!r}):
        print("batch of", len(batch))
"""
PROCESS = """\
import multiprocessing


def train():
    process = multiprocessing.get_context({start!r}).Process(target=print, args=("trained",))
    process.start()
    process.join()
    if process.exitcode != 0:
        raise RuntimeError("the worker failed")
"""
_CALL = "train()\n"
_GUARDED = 'if __name__ == "__main__":\n' + textwrap.indent(_CALL, "    ")
_ERROR = re.compile(r"Error:\s*(.+)")
SECONDS = 50.0


def write_script(path: Path, body: str, start: str, guarded: bool) -> Path:
    """``body``, whose train() is called behind the ``__main__`` guard or at the top level."""
    path.write_text(f"{body.format(start=start)}\n\n{_GUARDED if guarded else _CALL}", encoding="utf-8")
    return path


def run_script(path: Path) -> list[str]:
    """The lines it printed. Raises RuntimeError with the first error it told of if it failed."""
    done = subprocess.run(
        [sys.executable, str(path)], cwd=path.parent, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    if done.returncode != 0:
        found = _ERROR.search(done.stderr)
        raise RuntimeError(found[1] if found else f"exit code {done.returncode}")
    return done.stdout.splitlines()
