"""The passes that are not timed: values read from results, memory, and the slow counters of a GPU."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from bench import wire
from bench.arms import Arms, BrokenError
from bench.metrics import MEMORY, TELEMETRY
from bench.results import Traces, Values, rounded
from bench.trace import Trace
from bench.watch import DeviceCounters, TreeMemory

REPEATS = 2
# What a process tree takes differs from one time to the next, and an interval of two values is no interval.
TREE_REPEATS = 4
LEAST_SEEDS = 5
TRACE_DIGITS = 4


@dataclass
class Readings:
    """What results said, by metric and arm, one value per seed; and how each step ended."""

    values: dict[str, Values] = field(default_factory=dict)
    traces: dict[str, Traces] = field(default_factory=dict)
    outcomes: dict[str, list[str]] = field(default_factory=dict)
    warnings: dict[str, list[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def read_results(arms: Arms, seeds: int, deadline: float) -> Readings:
    """Run one step per arm and seed, each in a fresh process, and read the pair's metrics from what it returns.

    Arms step at the same time, but one by one, and after a first step, where a metric is not exact and so hears others.
    After five seeds the ``deadline`` (monotonic seconds) ends it early, which the notes say.
    """
    found = Readings()
    metrics = [m for m in arms.pair.metrics if m.read is not None or m.kind == "size"]
    if not metrics and not any(m.kind == "outcome" for m in arms.pair.metrics):
        return found
    for done, seed in enumerate(range(arms.seed, arms.seed + seeds)):
        if done >= LEAST_SEEDS and time.monotonic() > deadline:
            found.notes.append(f"{done} seeds of {seeds}: the budget ended")
            break
        answers = _values(arms, seed, exact=all(m.exact for m in metrics if m.read and not m.per_step))
        for name, answer in answers.items():
            found.outcomes.setdefault(name, []).append(answer["outcome"])
            found.warnings[name] = answer["warnings"]
            for metric in metrics:
                value = answer["values"].get(metric.name)
                reason = f"{name} {answer['outcome']}" if value is None else None
                _keep(found.values, metric.name, name, rounded(value, 9) if value is not None else None, reason)
                if metric.name in answer["of"]:
                    found.values[metric.name].of = answer["of"][metric.name]
            for trace in arms.pair.traces:
                if trace.name in answer["traces"]:
                    _keep_trace(found.traces, trace, name, *answer["traces"][trace.name])
    return found


def _keep_trace(found: dict[str, Traces], trace: Trace, arm: str, x: list[float], y: list[float]) -> None:
    kept = found.setdefault(trace.name, Traces(x_name=trace.x, unit=trace.unit, x=x))
    if kept.x != x or len(x) != len(y):
        raise BrokenError(f"the trace {trace.name!r} of {arm} was not looked at where the others were")
    kept.by_arm.setdefault(arm, []).append([rounded(v, TRACE_DIGITS) if math.isfinite(v) else None for v in y])


def _values(arms: Arms, seed: int, exact: bool) -> dict[str, wire.Message]:
    if exact:
        with arms.apart(seed) as processes:
            return arms.ask_together(processes, {"do": "values", "warm": False})
    with arms.fresh(seed) as processes:
        return {name: arms.ask(process, {"do": "values", "warm": True}) for name, process in processes.items()}


def weigh_memory(arms: Arms, raising: list[str]) -> dict[str, Values]:
    """The memory metrics of every arm: tensor bytes of two further steps, and the process tree while one runs."""
    metrics = [m for m in arms.pair.metrics if m.kind in MEMORY]
    if raising:
        return {m.name: Values(reason=f"{raising[0]} raises, so there is no step to weigh") for m in metrics}
    found: dict[str, Values] = {}
    tensors = [m for m in metrics if m.kind != "tree_memory"]
    if tensors:
        with arms.apart(built=False) as processes:
            answers = arms.ask_together(processes, {"do": "memory", "repeats": REPEATS})
        for name, answer in answers.items():
            for metric in tensors:
                for value in answer[metric.kind]:
                    _keep(found, metric.name, name, value)
    for metric in metrics:
        if metric.kind == "tree_memory":
            found[metric.name] = _weigh_trees(arms)
    return found


def _weigh_trees(arms: Arms) -> Values:
    values = Values()
    for _ in range(TREE_REPEATS):
        for name in arms.names:
            with arms.unbuilt(name) as process, TreeMemory(process.pid) as tree:
                arms.ask(process, {"do": "build"})
                arms.ask(process, {"do": "first"})
            values.by_arm.setdefault(name, []).append(tree.peak)
    return values


def read_counters(arms: Arms, seconds: float) -> dict[str, Values]:
    """Energy per step and utilisation over windows of ``seconds``, since the counters update slowly."""
    metrics = [m for m in arms.pair.metrics if m.kind in TELEMETRY]
    found: dict[str, Values] = {}
    for _ in range(REPEATS if metrics else 0):
        for name in arms.names:
            with arms.unbuilt(name) as process:
                for what in ("build", "first"):
                    arms.ask(process, {"do": what})
                with DeviceCounters(arms.device) as counters:
                    ran = arms.ask(process, {"do": "run", "seconds": seconds})
                answer = counters.per_step(ran["steps"])
            for metric in metrics:
                value = answer[metric.kind]
                reason = value if isinstance(value, str) else None
                _keep(found, metric.name, name, None if isinstance(value, str) else value, reason)
    return found


def _keep(found: dict[str, Values], metric: str, arm: str, value: float | None, reason: str | None = None) -> None:
    kept = found.setdefault(metric, Values())
    kept.by_arm.setdefault(arm, []).append(value)
    kept.reason = kept.reason or reason
