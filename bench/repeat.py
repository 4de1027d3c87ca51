"""How often a verdict stayed over several runs of one machine, and which value that is exact did not."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.claims import Claims
from bench.metrics import TIMED
from bench.pair import RECOMMENDED
from bench.results import MetricInfo, PointRecord, Run, read_run
from bench.verdict import ClaimVerdict, Judgement, Verdict, judge_run

# A verdict may be UNCLEAR in one run of five.
MOST_UNCLEAR = 0.2
COLUMNS = ("level", "name", "metric", "clocked", "exact", "stayed", "verdicts")


@dataclass(frozen=True)
class Stability:
    """What the runs said, in their order: of a claim, or of one metric at one point, which may decide a claim.

    ``clocked`` is what a clock says, or a claim that one of its points decides by it; ``exact`` values must not differ
    at all from run to run, seed by seed.
    """

    name: str
    verdicts: tuple[Verdict, ...]
    metric: str = ""
    decides: bool = True
    clocked: bool = False
    exact: bool = False
    values_differ: bool = False

    @property
    def level(self) -> str:
        """Of what it is: a claim, what decides one, or what stands beside."""
        if not self.metric:
            return "claim"
        return "deciding" if self.decides else "beside"

    @property
    def stayed(self) -> float:
        """The share of runs that gave the commonest verdict."""
        return Counter(self.verdicts).most_common(1)[0][1] / len(self.verdicts)

    @property
    def flips(self) -> bool:
        """Whether one run confirmed what another says backfires."""
        return {Verdict.CONFIRMED, Verdict.BACKFIRES} <= set(self.verdicts)

    @property
    def too_unclear(self) -> bool:
        """Whether the interval was too wide to say in more than one run of five."""
        return self.verdicts.count(Verdict.UNCLEAR) > MOST_UNCLEAR * len(self.verdicts)


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
    """Every claim, then every metric of the recommended arm at every point that all runs measured."""
    judged = [judge_run(run, claims) for run in runs]
    of_claims = [_of_claim([run[i] for run in judged]) for i in range(len(claims.claim))]
    points = [_by_point(run) for run in judged]
    common = [key for key in points[0] if all(key in one for one in points)] if points else []
    return of_claims + [_of_point([one[key] for one in points]) for key in common]


def _of_claim(said: Sequence[ClaimVerdict]) -> Stability:
    clocked = any(_clocked(j.metric) for j in said[0].deciding)
    return Stability(said[0].claim.id, tuple(v.verdict for v in said), clocked=clocked)


def _clocked(metric: MetricInfo) -> bool:
    return metric.kind in TIMED or metric.per_step


def _by_point(judged: Sequence[ClaimVerdict]) -> dict[tuple[str, str], tuple[Judgement, bool]]:
    """The recommended arm's judgements by point and metric, corrected as the report has them; which of them decide."""
    found: dict[tuple[str, str], tuple[Judgement, bool]] = {}
    for verdict in judged:
        for j in verdict.others:
            if j.arm == RECOMMENDED:
                found.setdefault((j.point.id, j.metric.name), (j, False))
        for j in verdict.deciding:
            found[j.point.id, j.metric.name] = j, True
    return found


def _of_point(judged: Sequence[tuple[Judgement, bool]]) -> Stability:
    (first, decides), *_ = judged
    metric = first.metric
    values = [_values(j.point, metric.name) for j, _ in judged]
    return Stability(
        name=first.point.id,
        verdicts=tuple(j.verdict for j, _ in judged),
        metric=metric.name,
        decides=decides,
        clocked=_clocked(metric),
        exact=metric.exact,
        values_differ=any(_differ(values[0], other) for other in values[1:]),
    )


def _values(record: PointRecord, metric: str) -> Mapping[str, Sequence[object]]:
    """The values by arm, one per seed, or how the steps ended where that is the metric."""
    found = record.values.get(metric)
    return found.by_arm if found is not None else record.outcomes


def _differ(one: Mapping[str, Sequence[object]], other: Mapping[str, Sequence[object]]) -> bool:
    """Whether a seed that both runs had gave another value; a budget may have left one of them fewer. NaN is itself."""
    if set(one) != set(other):
        return True
    # A run with fewer seeds is no other value, so the longer list's rest is left.
    return any(str(a) != str(b) for arm in one for a, b in zip(one[arm], other[arm], strict=False))


def agreement(found: Sequence[Stability]) -> float:
    """The mean share of runs with the commonest verdict; 1 for nothing to compare."""
    return sum(s.stayed for s in found) / len(found) if found else 1.0


def to_text(found: Sequence[Stability], runs: int) -> str:
    """What did not stay, and the figures that count."""
    moved = [s for s in found if s.stayed < 1 or s.too_unclear or (s.exact and s.values_differ)]
    deciding = [s for s in found if s.level != "beside"]
    exact = [s for s in found if s.exact]
    lines = [f"{s.level:9} {s.name} {s.metric}: {', '.join(s.verdicts)}{_remark(s)}" for s in moved]
    return "\n".join(
        [
            *lines,
            f"{runs} runs",
            _agreeing("claims", [s for s in found if s.level == "claim"]),
            _agreeing("claims decided by a clock", [s for s in found if s.level == "claim" and s.clocked]),
            _agreeing("deciding verdicts on time", [s for s in found if s.level == "deciding" and s.clocked])
            + " (wanted: at least 98 %)",
            _agreeing("verdicts on time beside them", [s for s in found if s.level == "beside" and s.clocked]),
            _agreeing("exact verdicts", exact) + f", {sum(s.values_differ for s in exact)} of other values (wanted: 0)",
            f"{sum(s.flips for s in deciding)} flip between CONFIRMED and BACKFIRES (wanted: 0)",
            f"{sum(s.too_unclear for s in deciding)} UNCLEAR in more than one run of five (wanted: 0)",
        ]
    )


def _agreeing(what: str, found: Sequence[Stability]) -> str:
    return f"{len(found)} {what}: {agreement(found) * 100:.1f} % agree"


def _remark(s: Stability) -> str:
    return " (exact, and its values differ)" if s.exact and s.values_differ else ""


def to_csv(found: Sequence[Stability]) -> str:
    """Everything, one line each, the verdicts in the order of the runs."""
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\n")
    rows.writerow(COLUMNS)
    for s in found:
        verdicts = ", ".join(s.verdicts)
        rows.writerow([s.level, s.name, s.metric, int(s.clocked), int(s.exact), f"{s.stayed:.2f}", verdicts])
    return file.getvalue()
