"""What this machine is, what it cannot measure and why, how noisy it is now, and how long a run will take."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psutil

from bench import controls, store
from bench.collect import load_pairs
from bench.environment import describe_environment, describe_machine
from bench.launch import Launcher
from bench.measure import Measurement
from bench.plan import Planned
from bench.profiles import PROFILES
from bench.results import UnreadableRunError, read_run
from bench.verdict import judge_point
from bench.watch import quiet_for

GLANCE_S = 1.0
BUSY_CORES = 0.2
CONTROLS = 5


@dataclass(frozen=True)
class Estimate:
    """Seconds that a run will take, and where the number comes from."""

    seconds: float
    source: str


def lines(planned: Sequence[Planned], profile: str) -> list[str]:
    """Everything the doctor says, a line each."""
    here = describe_machine()
    with_what = describe_environment()
    versions = ", ".join(f"{name} {version}" for name, version in with_what.packages.items())
    busy = quiet_for(GLANCE_S)
    begin = time.monotonic()
    apart = _control(profile)
    estimate = estimate_run(planned, profile, here.name, control_s=time.monotonic() - begin)
    return [
        f"machine: {here.name} ({here.cpu}, {here.cores} cores, {here.memory_gib:g} GiB, {here.system})",
        f"GPUs: {', '.join(here.gpus) or 'none'}{f' (driver {here.driver})' if here.driver else ''}",
        f"torch {with_what.torch}, CUDA {with_what.cuda or 'none'}, Python {with_what.python}; {versions}",
        *(f"flag {name}={value}" for name, value in with_what.flags.items()),
        *_noise_lines(busy, apart),
        *_skip_lines(planned),
        f"a {profile} run takes about {max(1, round(estimate.seconds / 60))} min ({estimate.source})",
    ]


def estimate_run(planned: Sequence[Planned], profile: str, machine: str, control_s: float) -> Estimate:
    """From the newest finished run of this machine at this profile, else from what one control took just now."""
    able = [p for p in planned if not p.blocked]
    for path in sorted((store.RESULTS / machine).glob("*/run.json"), reverse=True):
        try:
            run = read_run(path)
        except UnreadableRunError:
            continue
        took = {p.id: p.seconds for p in run.points if p.status == "measured" and p.role == "pair"}
        if run.profile == profile and run.finished and took:
            usual = float(np.mean(list(took.values())))
            controls_s = sum(p.seconds for p in run.points if p.role == "control")
            known = sum(p.id in took for p in able)
            source = f"{known} of {len(able)} points timed in {run.id}, the others counted as their mean"
            return Estimate(controls_s + sum(took.get(p.id, usual) for p in able), source)
    told = f"{len(able)} points and {CONTROLS} controls as long as one control took just now"
    return Estimate(control_s * (len(able) + CONTROLS), told)


def _noise_lines(busy: float, apart: tuple[float, float] | None) -> list[str]:
    load = psutil.getloadavg()[0]
    told = [f"others use {busy:.2f} of {psutil.cpu_count() or 1} cores now, load {load:.2f}"]
    if busy > BUSY_CORES:
        told.append(f"that is busy ({busy:.2f} > {BUSY_CORES} cores): expect wider intervals, or stop what else runs")
    if apart is not None:
        low, high = (np.expm1(v) * 100 for v in apart)
        told.append(f"the same work twice came out {low:+.1f} to {high:+.1f} % apart")
    return told


def _control(profile: str) -> tuple[float, float] | None:
    """The interval of one same-work control, in logs."""
    same = next(d for d in load_pairs(Path(controls.__file__)) if d.pair.name == controls.SAME_WORK.name)
    with Launcher() as launcher:
        measurement = Measurement(same, None, "cpu", PROFILES[profile], 0, launcher)
        measurement.begin(time.monotonic() + 60)
    judged = [j for j in judge_point(measurement.record()) if j.change is not None]
    change = judged[0].change if judged else None
    return (change.low, change.high) if change else None


def _skip_lines(planned: Sequence[Planned]) -> list[str]:
    blocked = {p.id: p.blocked for p in planned if p.blocked}
    if not blocked:
        return ["nothing will be skipped"]
    return [f"not measured here: {point}: {reason}" for point, reason in blocked.items()]
