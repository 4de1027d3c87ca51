"""The same two arms measured as pytest-benchmark and torch.utils.benchmark do: one process, one arm after the other."""

from __future__ import annotations

import json
import multiprocessing
import os
import tempfile
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.utils.benchmark import Timer

from bench import controls
from bench.pair import Pair, Setup, Step
from bench.stats import CONFIDENCE, Interval

Samples = tuple[list[float], list[float]]

RESAMPLES = 2000

_TEST_FILE = """
from bench.peers import steps

def test_anti_pattern(benchmark):
    benchmark(steps({name!r})[0])

def test_recommended(benchmark):
    benchmark(steps({name!r})[1])
"""


def pairs() -> dict[str, Pair[tuple[torch.Tensor, torch.Tensor]]]:
    """The control pairs by name."""
    return {str(p.name): p for p in (controls.SAME_WORK, controls.PLANTED)}


def steps(name: str) -> tuple[Step, Step]:
    """Both arms of a control pair, built in this process on one thread."""
    torch.set_num_threads(1)
    pair = pairs()[name]
    inputs = pair.inputs(Setup(torch.device("cpu"), Path(tempfile.gettempdir())))
    return pair.anti_pattern(inputs), pair.recommended(inputs)


def by_torch(name: str, seconds: float) -> Samples:
    """``Timer.blocked_autorange`` of one arm, then of the other; seconds per step of every block."""
    found = [Timer("step()", globals={"step": s}).blocked_autorange(min_run_time=seconds / 2) for s in steps(name)]
    return found[0].times, found[1].times


def by_pytest_benchmark(name: str, seconds: float) -> Samples:
    """Two tests of one file under pytest-benchmark; seconds per step of every round."""
    with tempfile.TemporaryDirectory() as folder:
        (file := Path(folder) / "test_arms.py").write_text(_TEST_FILE.format(name=name))
        saved = Path(folder) / "saved.json"
        options = [f"--benchmark-max-time={seconds / 2}", f"--benchmark-json={saved}", "-q", "-p", "no:cacheprovider"]
        status = pytest.main(["-c", os.devnull, f"--rootdir={folder}", *options, str(file)])
        if status != 0:
            raise RuntimeError(f"pytest-benchmark ended with {status}")
        told = {b["name"]: b["stats"]["data"] for b in json.loads(saved.read_text())["benchmarks"]}
    return told["test_anti_pattern"], told["test_recommended"]


PEERS: dict[str, Callable[[str, float], Samples]] = {
    "pytest-benchmark": by_pytest_benchmark,
    "torch.utils.benchmark": by_torch,
}


def measure(peer: str, name: str, seconds: float) -> Samples:
    """Measure a control pair with a peer in a fresh process. Raises RuntimeError when that process fails."""
    context = multiprocessing.get_context("fork")
    near, far = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(far, peer, name, seconds))
    process.start()
    far.close()
    try:
        anti, recommended = json.loads(near.recv_bytes())
    except EOFError as gone:
        raise RuntimeError(f"{peer} gave no samples of {name}") from gone
    finally:
        process.join()
    return anti, recommended


def _child(channel: Connection, peer: str, name: str, seconds: float) -> None:
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    channel.send_bytes(json.dumps(PEERS[peer](name, seconds)).encode())


def log_ratio_of_medians(samples: Samples, seed: int) -> Interval:
    """The log ratio of the arms' medians with its percentile bootstrap interval: what a peer's samples say."""
    rng = np.random.default_rng(seed)
    anti, recommended = (np.log(np.asarray(s)) for s in samples)
    resampled = [
        np.median(rng.choice(recommended, recommended.size)) - np.median(rng.choice(anti, anti.size))
        for _ in range(RESAMPLES)
    ]
    low, high = np.quantile(resampled, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    n = min(anti.size, recommended.size)
    return Interval(float(np.median(recommended) - np.median(anti)), float(low), float(high), n)
