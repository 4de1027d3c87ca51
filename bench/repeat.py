"""How often a verdict stayed over several runs of one machine, and which value that is exact did not."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.claims import Claims
from bench.pair import RECOMMENDED
from bench.results import PointRecord, Run, read_run
from bench.verdict import Judgement, Verdict, judge_run


@dataclass(frozen=True)
class Stability:
    """What the runs said of one metric at one point, in their order. ``exact`` metrics must not differ at all."""

    point: str
    metric: str
    exact: bool
    verdicts: tuple[Verdict, ...]
    values_differ: bool

    @property
    def stayed(self) -> float:
        """The share of runs that gave the commonest verdict."""
        return Counter(self.verdicts).most_common(1)[0][1] / len(self.verdicts)

    @property
    def flips(self) -> bool:
        """Whether one run confirmed what another says backfires."""
        return {Verdict.CONFIRMED, Verdict.BACKFIRES} <= set(self.verdicts)

    @property
    def unclear(self) -> int:
        """In how many runs the interval was too wide to say."""
        return self.verdicts.count(Verdict.UNCLEAR)


class RepeatError(Exception):
    """A run of the series did not come to its end; the message has its last lines."""


def measure_again(wanted: int, folder: Path, budget: str, tell: Callable[[str], None]) -> list[Run]:
    """Measure the CPU suite until ``folder`` holds ``wanted`` finished runs; those that it holds already count.

    Raises RepeatError when a run fails to finish.
    """
    command = [sys.executable, "-m", "pytest", "--benchmark", "--device", "cpu", "--budget", budget]
    while len(done := finished_runs(folder)) < wanted:
        tell(f"run {len(done) + 1} of {wanted}")
        told = subprocess.run([*command, f"--results={folder}"], capture_output=True, text=True, check=False)
        if len(finished_runs(folder)) == len(done):
            raise RepeatError("\n".join(told.stdout.splitlines()[-10:]))
    return done[:wanted]


def finished_runs(folder: Path) -> list[Run]:
    """The finished runs under a folder, oldest first."""
    return [run for path in sorted(folder.rglob("run.json")) if (run := read_run(path)).finished is not None]


def stability(runs: Sequence[Run], claims: Claims) -> list[Stability]:
    """Every metric of the recommended arm at every point that all runs measured."""
    found = [_judged(run, claims) for run in runs]
    common = [key for key in found[0] if all(key in one for one in found)] if found else []
    return [_stability(key, [one[key] for one in found]) for key in common]


def agreement(found: Sequence[Stability]) -> float:
    """The mean share of runs with the commonest verdict; 1 for nothing to compare."""
    return sum(s.stayed for s in found) / len(found) if found else 1.0


def to_text(found: Sequence[Stability], runs: int) -> str:
    """What did not stay, and the two figures that count."""
    inexact = [s for s in found if not s.exact]
    exact = [s for s in found if s.exact]
    moved = [s for s in found if s.stayed < 1 or (s.exact and s.values_differ)]
    lines = [f"{s.point} {s.metric}: {', '.join(s.verdicts)}{_remark(s)}" for s in moved]
    differ = sum(s.values_differ for s in exact)
    return "\n".join(
        [
            *lines,
            f"{runs} runs",
            f"{len(inexact)} timed verdicts: {agreement(inexact) * 100:.1f} % agree (wanted: at least 98 %)",
            f"{len(exact)} exact verdicts: {agreement(exact) * 100:.1f} % agree, {differ} of other values (wanted: 0)",
            f"{sum(s.flips for s in found)} flip between CONFIRMED and BACKFIRES (wanted: 0)",
            f"{sum(s.unclear > 1 for s in found)} UNCLEAR in more than one run (wanted: 0)",
        ]
    )


def _remark(s: Stability) -> str:
    return " (exact, and its values differ)" if s.exact and s.values_differ else ""


def _judged(run: Run, claims: Claims) -> dict[tuple[str, str], Judgement]:
    """The recommended arm's judgements by point and metric, corrected as the report has them."""
    judged = [j for v in judge_run(run, claims) for j in (*v.deciding, *v.others)]
    return {(j.point.id, j.metric.name): j for j in judged if j.arm == RECOMMENDED}


def _stability(key: tuple[str, str], judged: Sequence[Judgement]) -> Stability:
    point, metric = key
    values = [_values(j.point, metric) for j in judged]
    return Stability(
        point=point,
        metric=metric,
        exact=judged[0].metric.exact,
        verdicts=tuple(j.verdict for j in judged),
        values_differ=len(set(map(str, values))) > 1,
    )


def _values(record: PointRecord, metric: str) -> object:
    """Every value of every arm, or how the steps ended where that is the metric."""
    found = record.values.get(metric)
    return found.by_arm if found is not None else record.outcomes
