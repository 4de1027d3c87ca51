"""A long made-up history with known truth: nightly runs of many pairs on several machines, from a seed.

``python -m tests.report.many_runs DIR`` writes 1,000 runs of 100 pairs on 5 machines into DIR, then builds the report
and the history from them in fresh processes and says how long each took and how much memory it held.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from bench.claims import Claim, Claims, read_claims
from bench.collect import CLAIMS_FILE
from bench.metrics import TIMED
from bench.results import (
    Environment,
    Machine,
    MetricInfo,
    Noise,
    Point,
    PointRecord,
    Replicate,
    Run,
    Timing,
    Values,
    to_json,
)

ARMS = ["anti_pattern", "recommended"]
REPLICATES, BLOCKS, SEEDS = 12, 6, 5
FIRST_NIGHT = datetime(2026, 1, 1, 2, 0, tzinfo=UTC)
TORCH = ("2.13.0", "2.14.0", "2.14.1", "2.15.0")
DRIVERS = ("570.10", "580.65")
# A pair in so many gains or loses with a new torch; one in so many nights of a pair is off.
STEPPING, ODD_NIGHT = 4, 0.01
Rng = np.random.Generator


@dataclass(frozen=True)
class Nightly:
    """A made-up machine, whose pairs' log ratios vary by ``sd`` from night to night beyond their intervals."""

    machine: Machine
    device: str
    sd: float


def machines(number: int) -> list[Nightly]:
    """GPU boxes and CPU boxes in turn, each a little noisier than the one before."""
    return [_gpu_box(i) if i % 2 else _cpu_box(i) for i in range(number)]


def history(number: int, runs: int, pairs: int, claims: Claims, seed: int = 0) -> Iterator[Run]:
    """Every run of every machine; ``runs`` a machine, ``pairs`` a run. torch is new in every quarter of them."""
    for k, box in enumerate(machines(number)):
        rng = np.random.default_rng([seed, k])
        truth = rng.normal(0, 0.3, pairs)
        jumps = rng.normal(0, 0.15, (len(TORCH), pairs)) * (np.arange(pairs) % STEPPING == 0)
        jumps[0] = 0
        for night in range(runs):
            quarter = night * len(TORCH) // runs
            level = truth + np.cumsum(jumps, axis=0)[quarter] + rng.normal(0, box.sd, pairs)
            level += (rng.random(pairs) < ODD_NIGHT) * rng.normal(0, 0.3, pairs)
            yield _run(box, night, quarter, level, claims, rng)


def write(folder: Path, runs: Iterator[Run]) -> int:
    """The runs where the store would put them; how many there were."""
    written = 0
    for run in runs:
        path = folder / run.machine.name / run.id / "run.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(to_json(run), encoding="utf-8")
        written += 1
    return written


def _cpu_box(i: int) -> Nightly:
    cpu = Machine(name=f"cpu-box-{i}", cpu="Some Processor", cores=8, memory_gib=32, system="Linux x86_64")
    return Nightly(cpu, "cpu", 0.004 * (i + 1))


def _gpu_box(i: int) -> Nightly:
    machine = Machine(
        name=f"gpu-box-{i}", cpu="Some Processor", cores=16, memory_gib=64, gpus=["A GPU"], system="Linux x86_64"
    )
    return Nightly(machine, "cuda", 0.004 * (i + 1))


def _run(box: Nightly, night: int, quarter: int, level: np.ndarray, claims: Claims, rng: Rng) -> Run:
    started = FIRST_NIGHT + timedelta(days=night)
    driver = DRIVERS[quarter * len(DRIVERS) // len(TORCH)] if box.device == "cuda" else None
    points = [_record(i, value, box.device, claims.claim[i % len(claims.claim)], rng) for i, value in enumerate(level)]
    return Run(
        id=f"{started:%Y%m%dT%H%M%S}-abcdef{night:04d}",
        started=started.isoformat(),
        finished=(started + timedelta(minutes=20)).isoformat(),
        profile="quick",
        seed=0,
        device=box.device,
        commit=f"abcdef{night // 30:04d}",
        machine=box.machine.model_copy(update={"driver": driver}),
        environment=Environment(python="3.12.1", torch=TORCH[quarter], packages={"numpy": "2.3.1"}),
        points=[*_controls(box.device, rng), *points],
    )


def _controls(device: str, rng: Rng) -> list[PointRecord]:
    same = [_timed("controls/same-work", "control", 0.0, device, rng, turn=turn) for turn in (":before", ":after")]
    planted = _timed("controls/planted-5-percent", "control", 0.05, device, rng, turn=":before")
    return [p.model_copy(update={"role": "control"}) for p in (*same, planted)]


def _record(i: int, level: float, device: str, claim: Claim, rng: Rng) -> PointRecord:
    """A pair for the claim in the claim's own metric; every third has a numeric axis."""
    name = f"{claim.topic}/{claim.id}" if i < 78 else f"{claim.topic}/{claim.id}-{i}"
    point = Point(axis="batch", value=2 ** (i % 6)) if i % 3 == 0 else None
    if claim.metric in TIMED:
        return _timed(name, claim.id, level, device, rng, kind=claim.metric, point=point)
    if claim.metric == "outcome":
        ends = {"anti_pattern": ["raises RuntimeError"] * 2, "recommended": ["returns"] * 2}
        return PointRecord(**_fields(name, claim, device, "outcome", 0.02), outcomes=ends)
    ratio = claim.metric in ("peak_memory", "allocated", "tree_memory", "size", "energy", "throughput")
    base = 200e6 if ratio else 0.8
    ours = base * (1 + 0.002 * rng.normal(size=SEEDS))
    theirs = ours * np.exp(level) if ratio else ours + 0.1 * level
    values = {claim.metric: Values(by_arm=dict(zip(ARMS, (ours.tolist(), theirs.tolist()), strict=True)))}
    kind = "peak_memory" if claim.metric == "throughput" else claim.metric
    return PointRecord(**_fields(name, claim, device, kind, 0.02), values=values)


def _fields(name: str, claim: Claim, device: str, kind: str, zone: float) -> dict[str, object]:
    ratio = kind in ("peak_memory", "allocated", "tree_memory", "size", "energy")
    comparison = "outcome" if kind == "outcome" else "ratio" if ratio else "difference"
    metric = MetricInfo(
        name=claim.metric,
        kind=kind,
        unit="B" if ratio else "",
        better="higher" if kind == "accuracy" else "lower",
        comparison=comparison,
        zone=zone,
    )
    return {
        "pair": name,
        "claims": [claim.id],
        "device": device,
        "status": "measured",
        "arms": ARMS,
        "metrics": [metric],
    }


def _timed(
    name: str,
    claim: str,
    level: float,
    device: str,
    rng: Rng,
    kind: str = "time",
    point: Point | None = None,
    turn: str = "",
) -> PointRecord:
    base = 80e-6 * np.exp(rng.normal(0, 0.02, (REPLICATES, BLOCKS, 1)))
    logs = rng.normal(0, 0.006, (REPLICATES, 1, 2)) + rng.normal(0, 0.004, (REPLICATES, BLOCKS, 2)) + [0, level]
    seconds = np.vectorize(lambda v: float(f"{v:.5g}"))(base * np.exp(logs))
    replicates = [
        Replicate(
            first=dict(zip(ARMS, (10 * block[0]).tolist(), strict=True)),
            host=dict(zip(ARMS, block.T.tolist(), strict=True)),
            device=dict(zip(ARMS, block.T.tolist(), strict=True)) if kind == "device_time" else {},
            cpu=dict.fromkeys(ARMS, [1.0] * BLOCKS),
            orders=["01", "10"] * (BLOCKS // 2),
        )
        for block in seconds
    ]
    metric = MetricInfo(name=kind, kind=kind, unit="s", better="lower", comparison="ratio", zone=0.02)
    return PointRecord(
        pair=name,
        claims=[claim],
        device=device,
        point=point,
        turn=turn,
        status="measured",
        arms=ARMS,
        metrics=[metric],
        timing=Timing(inner=60, cores=[1], replicates=replicates, looks=[12, 24], stopped="narrow enough"),
        noise=Noise(load=0.5, steal=0.01, others=0.1),
        seconds=3.5,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Write a history and time what reads it."""
    parser = argparse.ArgumentParser(prog="python -m tests.report.many_runs", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--machines", type=int, default=5)
    parser.add_argument("--runs", type=int, default=200, help="of each machine; default: %(default)s")
    parser.add_argument("--pairs", type=int, default=100)
    options = parser.parse_args(arguments)
    if not options.folder.exists():
        made = history(options.machines, options.runs, options.pairs, read_claims(CLAIMS_FILE))
        print(f"{write(options.folder, made)} runs written")
    for command in ("build", "history"):
        begin = time.perf_counter()
        subprocess.run(
            [
                sys.executable,
                "-m",
                "report",
                command,
                str(options.folder),
                "--out",
                str(options.folder.parent / "site"),
            ],
            check=True,
        )
        seconds = time.perf_counter() - begin
        # The largest of the processes so far, in KiB on Linux.
        held = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
        print(f"{command}: {seconds:.1f} s, the largest process held {held:.2f} GiB")


if __name__ == "__main__":
    main()
