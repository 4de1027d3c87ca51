"""What a history keeps of a run: whose it is, and each deciding judgement's number and verdict, without the samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bench.claims import Claims
from bench.metrics import CLOCKED
from bench.results import Environment, Machine, MetricInfo, PointRecord, Run, UnreadableRunError, read_run
from bench.stats import Interval
from bench.verdict import Judgement, Verdict, check_controls, judge_run
from report.cores import on_all_cores

# For fewer files another process costs more than it saves.
FEW = 8


class Key(NamedTuple):
    """Which series a reading belongs to: a claim's deciding metric at one point on one device."""

    claim: str
    point: str
    device: str
    metric: str


class Gauge(NamedTuple):
    """A metric as small as it can be kept; see ``MetricInfo``."""

    name: str
    kind: str
    unit: str
    better: str
    comparison: str
    zone: float

    def info(self) -> MetricInfo:
        """The metric as the rest of the report takes it."""
        return MetricInfo.model_validate(self._asdict())


class Reading(NamedTuple):
    """What one run says at one point: logs of ratios or differences; ``told`` is said where there is no number."""

    key: Key
    gauge: Gauge
    change: tuple[float, float, float] | None
    n: int
    verdict: Verdict
    told: str

    @property
    def interval(self) -> Interval | None:
        """The change as an interval."""
        return Interval(*self.change, self.n) if self.change else None


@dataclass(frozen=True)
class Digest:
    """One run without its samples. ``failed`` has the claim, point and device of what is broken in it.

    ``passed`` says whether its controls came out as they must; when they did not, what the clock says is left out.
    """

    path: Path
    id: str
    machine: Machine
    environment: Environment
    started: str
    finished: str | None
    profile: str
    partial: bool
    device: str
    commit: str | None
    seed: int
    passed: bool
    verdicts: dict[str, Verdict]
    readings: tuple[Reading, ...]
    failed: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Fault:
    """Why a file cannot be used; the text names it."""

    told: str


def read_digests(paths: Sequence[Path], claims: Claims) -> list[Digest | Fault]:
    """Every file's digest, or why there is none, in the order given; one run at a time in each of the usable cores."""
    return on_all_cores(partial(read_digest, claims=claims), paths, chunk=FEW)


def read_digest(path: Path, claims: Claims) -> Digest | Fault:
    """One file's digest, or why there is none."""
    try:
        return digest_of(read_run(path), path, claims)
    except UnreadableRunError as error:
        return Fault(str(error))
    except (LookupError, ValueError, ArithmeticError) as error:
        return Fault(f"{path}: {does_not_fit(error)}")


def does_not_fit(error: Exception) -> str:
    """Why a document of the right form cannot be judged, such as a replicate that lacks an arm."""
    return f"its records do not fit together ({type(error).__name__}: {error})"


def digest_of(run: Run, path: Path, claims: Claims) -> Digest:
    """What history keeps of the run. Raises LookupError, ValueError or ArithmeticError where it cannot be judged."""
    passed = check_controls(run).passed
    found = judge_run(run, claims, beside=False)
    judged = [j for v in found for j in v.deciding if passed or not _by_the_clock(j.metric)]
    return Digest(
        path=path,
        id=run.id,
        machine=run.machine,
        environment=run.environment,
        started=run.started,
        finished=run.finished,
        profile=run.profile,
        partial=run.partial,
        device=run.device,
        commit=run.commit,
        seed=run.seed,
        passed=passed,
        verdicts={v.claim.id: v.verdict for v in found if v.records},
        readings=tuple(_reading(j) for j in judged),
        failed=tuple((c, p.id, p.device) for p in run.points if _broken(p) for c in p.claims),
    )


def _by_the_clock(metric: MetricInfo) -> bool:
    return metric.kind in CLOCKED


def _broken(record: PointRecord) -> bool:
    return record.role == "pair" and record.status == "broken"


def _reading(j: Judgement) -> Reading:
    m, c = j.metric, j.change
    return Reading(
        key=Key(j.claim, j.point.id, j.point.device, m.name),
        gauge=Gauge(m.name, m.kind, m.unit, m.better, m.comparison, m.zone),
        change=(c.estimate, c.low, c.high) if c else None,
        n=c.n if c else 0,
        verdict=j.verdict,
        told="" if c else j.why[:500],
    )
