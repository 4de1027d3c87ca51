"""A run in the formats of other people's dashboards, with its intervals.

- PyTorch's benchmark database, schema v3: a list of records, one metric each, all extra information as text
  (pytorch/test-infra, clickhouse_db_schema/oss_ci_benchmark_v3; what is about the job its upload action adds).
- Bencher Metric Format: benchmark, measure, value with lower_value and upper_value (bencher.dev/bmf.json).
- github-action-benchmark, customSmallerIsBetter: name, unit, value, range, extra.

A ratio is recommended over anti-pattern. Only numbers are exported; verdicts without one are in the JUnit file.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass

from bench.changes import changes_of
from bench.claims import Claims
from bench.pair import ANTI_PATTERN
from bench.results import Run
from bench.verdict import Judgement, judge_run
from report.escape import plain
from report.numbers import exp

BENCHER_NAME = 1024
BENCHER_MEASURE = 64


@dataclass(frozen=True)
class Number:
    """One metric of one arm at one point: its change with the interval, as a ratio or a difference."""

    judgement: Judgement
    value: float
    low: float
    high: float

    @property
    def name(self) -> str:
        """The point, and the arm where it is not the recommended one."""
        j = self.judgement
        return plain(j.point.id if j.arm == "recommended" else f"{j.point.id} {j.arm}")

    @property
    def unit(self) -> str:
        """What the value is counted in."""
        metric = self.judgement.metric
        of_arm = f"{plain(self.judgement.arm)} / {ANTI_PATTERN}"
        return of_arm if metric.comparison == "ratio" else plain(metric.unit) or "1"


def numbers(run: Run, claims: Claims) -> list[Number]:
    """Every judgement with a finite number, once however many claims it answers."""
    found: dict[tuple[str, str, str, str], Number] = {}
    for verdict in judge_run(run, claims):
        for j in (*verdict.deciding, *verdict.others):
            if j.change is None:
                continue
            ends = (j.change.estimate, j.change.low, j.change.high)
            value, low, high = (exp(v) for v in ends) if j.metric.comparison == "ratio" else ends
            if all(map(math.isfinite, (value, low, high))):
                found.setdefault((j.point.device, j.point.id, j.metric.name, j.arm), Number(j, value, low, high))
    return list(found.values())


def pytorch_v3(run: Run, claims: Claims) -> str:
    """A list of records for PyTorch's benchmark database; ``benchmark_values`` has one value per replicate or seed."""
    return _json([_record(run, n) for n in numbers(run, claims)])


def _record(run: Run, n: Number) -> dict[str, object]:
    j = n.judgement
    about = {
        "verdict": str(j.verdict),
        "why": plain(j.why),
        "unit": n.unit,
        "value": repr(n.value),
        "lower": repr(n.low),
        "upper": repr(n.high),
        "better": j.metric.better,
        "run": run.id,
        "profile": run.profile,
        "device": run.device,
        "claims": " ".join(map(plain, j.point.claims)),
    }
    return {
        "benchmark": {"name": "torchproof", "mode": "", "dtype": "", "extra_info": about},
        "model": {
            "name": n.name,
            "type": "practice",
            "backend": plain(j.point.device),
            "origins": [plain(j.point.pair.split("/")[0])],
            "extra_info": {"arm": plain(j.arm), "against": ANTI_PATTERN},
        },
        "metric": {"name": plain(j.metric.name), "benchmark_values": _values(j), "extra_info": {"unit": n.unit}},
        "runners": [
            {
                "name": run.machine.name,
                "type": run.machine.name,
                "cpu_info": plain(run.machine.cpu),
                "cpu_count": run.machine.cores,
                "avail_mem_in_gb": round(run.machine.memory_gib),
                "gpu_info": plain(run.machine.gpus[0]) if run.machine.gpus else "",
                "gpu_count": len(run.machine.gpus),
            }
        ],
        "dependencies": {"pytorch": {"repo": "pytorch/pytorch", "version": plain(run.environment.torch)}},
    }


def _values(j: Judgement) -> list[float]:
    values, _ = changes_of(j.point, j.metric, j.arm, ANTI_PATTERN)
    return [exp(v) if j.metric.comparison == "ratio" else v for v in values]


def bencher(run: Run, claims: Claims) -> str:
    """Bencher Metric Format: a benchmark per point and arm, a measure per metric."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for n in numbers(run, claims):
        measure = re.sub(r"[^a-z0-9]+", "-", n.judgement.metric.name.lower()).strip("-") or "value"
        value = {"value": n.value, "lower_value": n.low, "upper_value": n.high}
        found.setdefault(n.name[:BENCHER_NAME], {})[measure[:BENCHER_MEASURE]] = value
    return _json(found)


def github_action(run: Run, claims: Claims) -> str:
    """A list for github-action-benchmark's customSmallerIsBetter.

    Where more is better the ratio is turned around. Differences are left out: the action compares values by their
    ratio, which says nothing of numbers around 0.
    """
    ratios = [n for n in numbers(run, claims) if n.judgement.metric.comparison == "ratio" and n.low > 0]
    return _json([_smaller_is_better(n) for n in ratios])


def _smaller_is_better(n: Number) -> dict[str, object]:
    j = n.judgement
    value, low, high, unit = n.value, n.low, n.high, n.unit
    if j.metric.better == "higher":
        value, low, high, unit = 1 / value, 1 / high, 1 / low, f"{ANTI_PATTERN} / {plain(j.arm)}"
    return {
        "name": f"{n.name} {plain(j.metric.name)}",
        "unit": unit,
        "value": value,
        "range": f"{low:.5g} to {high:.5g}",
        "extra": f"{j.verdict}: {plain(j.why)}",
    }


def _json(document: object) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
