"""One arm of a pair alone under pyperf: many fresh processes on one core, no other arm beside it.

Run as ``python -m bench.peer_pyperf``, which pyperf starts again for each of its processes; the request says which arm.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pyperf
import torch

from bench.arm import seed_everything
from bench.collect import Declared, load_pairs
from bench.launch import environment_of_children
from bench.pair import PointValue, Setup, Step

REQUEST = "TORCHPROOF_PEER"
PROCESSES = 6


def seconds_by_process(declared: Declared, value: PointValue | None, arm: str, core: int, seed: int) -> list[float]:
    """Seconds per step, the median of each of pyperf's processes. Raises RuntimeError with what pyperf said last."""
    request = {"file": str(declared.file), "pair": declared.id, "value": value, "arm": arm, "seed": seed}
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "told.json"
        command = [sys.executable, "-m", "bench.peer_pyperf", "--output", str(told), f"--affinity={core}"]
        command += [f"--processes={PROCESSES}", f"--inherit-environ={REQUEST},PYTHONPATH", "--quiet"]
        ran = subprocess.run(
            command,
            env={**environment_of_children(), REQUEST: json.dumps(request)},
            capture_output=True,
            text=True,
            check=False,
        )
        if ran.returncode != 0:
            raise RuntimeError(f"pyperf of {declared.id} {arm} ended with {ran.returncode}: {ran.stderr[-500:]}")
        benchmark = pyperf.Benchmark.load(str(told))
    # The first process only calibrates and has no values.
    values = [sorted(run.values) for run in benchmark.get_runs() if run.values]
    return [float(v[len(v) // 2]) for v in values]


def build(request: Mapping[str, object], folder: Path) -> Step:
    """The step that the request names, built on one thread."""
    torch.set_num_threads(1)
    declared = next(d for d in load_pairs(Path(str(request["file"]))) if d.id == request["pair"])
    seed, value = request["seed"], request["value"]
    assert isinstance(seed, int)
    assert value is None or isinstance(value, int | float | str)
    seed_everything(seed)
    inputs = declared.pair.inputs(Setup(torch.device("cpu"), folder, seed=seed, value=value))
    seed_everything(seed)
    return declared.pair.arms[str(request["arm"])](inputs)


def main() -> None:
    """Hand the step to pyperf."""
    runner = pyperf.Runner()
    request = json.loads(os.environ[REQUEST])
    with tempfile.TemporaryDirectory() as folder:
        runner.bench_func(f"{request['pair']} {request['arm']}", build(request, Path(folder)))


if __name__ == "__main__":
    main()
