"""Where workers are spawned, as on Windows, a script without ``if __name__ == "__main__":`` is said to fail.

A step runs a real script in an interpreter of its own, which starts one worker. The anti-pattern calls its training at
the top level, the recommended arm behind the guard. Linux can spawn as well, so that the outcome is that of Windows.
The worker is a loader's at ``loader-spawned``, which takes seconds to import torch twice, and else a process that only
prints: the rule is not the loader's but multiprocessing's, which starts either.

Theory: a spawned worker has nothing but what it imports, so it runs the main script first, under another name. Without
the guard that starts a worker of its own before this one is ready, which multiprocessing forbids. A forked worker is a
copy and imports nothing, which is why the same script works where fork is the default. (Python 3.14 no longer forks by
default, on Linux either.)
"""

from dataclasses import dataclass
from pathlib import Path

from bench import Axis, Needs, Pair, Setup, Step, exactly, outcome
from suites.workloads.scripts import LOADER, PROCESS, run_script, write_script


@dataclass(frozen=True)
class Script:
    """Where the script goes, what it does, and how its worker is started."""

    path: Path
    body: str
    start: str


def script(setup: Setup) -> Script:
    worker, _, how = setup.point(str).partition("-")
    body = {"loader": LOADER, "process": PROCESS}[worker]
    return Script(setup.folder / "train.py", body, start={"spawned": "spawn", "forked": "fork"}[how])


def unguarded(s: Script) -> Step:
    path = write_script(s.path, s.body, s.start, guarded=False)
    return lambda: run_script(path)


def guarded(s: Script) -> Step:
    path = write_script(s.path, s.body, s.start, guarded=True)
    return lambda: run_script(path)


PAIR = Pair(
    claims=("spawn-main-guard",),
    inputs=script,
    anti_pattern=unguarded,
    recommended=guarded,
    same=exactly,
    metrics=(outcome,),
    axis=Axis(
        "worker",
        full=("process-spawned", "loader-spawned"),
        quick=("process-spawned",),
        outside=("process-forked",),
    ),
    needs=Needs(cpu=True),
    seeds=2,
)
