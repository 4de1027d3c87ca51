"""A small checkout of its own: the engine as it is here, with suites that a test writes."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent

from bench.collect import ROOT
from bench.results import Run, read_run

CLAIMS = """
[sources.G]
title_en = "guide"
title_zh = "指南"
[[claim]]
id = "one"
topic = "tensors"
source = "G"
section = "2.1"
metric = "time"
hardware = ["cpu", "cuda"]
advice_en = "do"
advice_zh = "做"
"""

PRACTICE = """
import os, signal, time as clock
import torch
from bench import *

def inputs(setup):
    torch.manual_seed(setup.seed)
    return torch.randn(64, 64)

def once(x):
    return lambda: x @ x

def twice(x):
    return lambda: (x @ x, x @ x)[1]

PAIR = Pair(claims=("one",), inputs=inputs, anti_pattern=twice, recommended={arm}, same=exactly, metrics=(time,){more})
"""


class Checkout:
    """A folder with ``bench/``, ``pyproject.toml`` and suites; commands run in it as a user would type them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / "bench", folder / "bench", ignore=ignore)
        shutil.copy(ROOT / "pyproject.toml", folder)
        self.write("suites/claims.toml", CLAIMS)
        self.write("tests/test_other.py", "def test_other(): pass\n")

    def write(self, name: str, text: str) -> None:
        """Write a file of the checkout."""
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(dedent(text))

    def practice(self, stem: str, arm: str = "once", more: str = "") -> None:
        """A practice whose recommended arm does half the work, or is ``arm``."""
        self.write(f"suites/tensors/{stem}.py", PRACTICE.format(arm=arm, more=more))

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start ``python -m ARGUMENTS``."""
        variables = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
        return subprocess.Popen(
            [sys.executable, "-m", *arguments],
            cwd=self.folder,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *arguments: str) -> tuple[int, str]:
        """Run ``python -m ARGUMENTS``: the exit code and what it printed."""
        process = self.start(*arguments)
        told, _ = process.communicate(timeout=180)
        return process.returncode, told

    def runs(self) -> list[Run]:
        """The runs on record, oldest first."""
        return [read_run(p) for p in sorted(self.folder.glob("results/*/*/run.json"))]

    def wait_for_points(self, number: int) -> None:
        """Wait until a run has that many points on record."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            if (runs := self.runs()) and len(runs[-1].points) >= number:
                return
            time.sleep(0.1)
        raise TimeoutError(f"no run with {number} points within 120 s")


def kill_and_wait(process: subprocess.Popen[str], number: int = signal.SIGKILL) -> str:
    """End a process with a signal; what it had printed."""
    process.send_signal(number)
    return process.communicate(timeout=60)[0]
