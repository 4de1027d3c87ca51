"""How often a verdict stayed over several runs of one machine, and which value that is exact did not."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, TypeAdapter

from bench.claims import Claims
from bench.metrics import CLOCKED
from bench.pair import RECOMMENDED
from bench.results import PointRecord, Run
from bench.verdict import ClaimVerdict, Judgement, Verdict, judge_run

# A verdict may be UNCLEAR in one run of five.
MOST_UNCLEAR = 0.2
_SEPARATOR = ", "

Level = Literal["claim", "deciding", "beside"]


def _split(verdicts: object) -> object:
    return verdicts.split(_SEPARATOR) if isinstance(verdicts, str) else verdicts


@dataclass(frozen=True)
class Stability:
    """What the runs said, in their order: of a claim, or of a point's metric that decides one or stands beside.

    ``clocked`` is what a clock says, or a claim that a clock decides; ``exact`` values must not differ at all from run
    to run, seed by seed.
    """

    level: Level
    name: str
    metric: str
    clocked: bool
    exact: bool
    values_differ: bool
    verdicts: Annotated[tuple[Verdict, ...], BeforeValidator(_split)]

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

    @property
    def kept(self) -> bool:
        """Whether nothing is to be said of it."""
        return self.stayed == 1 and not self.too_unclear and not (self.exact and self.values_differ)


@dataclass(frozen=True)
class Series:
    """What several runs of one machine said, ``load`` background processes coming and going meanwhile."""

    machine: str
    load: int
    found: tuple[Stability, ...]

    @property
    def runs(self) -> int:
        """How many there were."""
        return len(self.found[0].verdicts) if self.found else 0

    def of(self, level: Level, *, clocked: bool) -> list[Stability]:
        """Those of a level, all or only what a clock says."""
        return [s for s in self.found if s.level == level and (s.clocked or not clocked)]

    @property
    def moved(self) -> list[Stability]:
        """Those that something is to be said of."""
        return [s for s in self.found if not s.kept]


def compare_runs(runs: Sequence[Run], claims: Claims, load: int) -> Series:
    """Every claim, then every metric of the recommended arm at every point that all runs measured."""
    judged = [judge_run(run, claims) for run in runs]
    of_claims = [_of_claim([run[i] for run in judged]) for i in range(len(claims.claim))]
    points = [_by_point(run) for run in judged]
    common = [key for key in points[0] if all(key in one for one in points)]
    found = of_claims + [_of_point([one[key] for one in points]) for key in common]
    return Series(runs[0].machine.name, load, tuple(found))


def _of_claim(said: Sequence[ClaimVerdict]) -> Stability:
    clocked = any(j.metric.kind in CLOCKED for j in said[0].deciding)
    return Stability("claim", said[0].claim.id, "", clocked, False, False, tuple(v.verdict for v in said))


def _by_point(judged: Sequence[ClaimVerdict]) -> dict[tuple[str, str], tuple[Judgement, Level]]:
    """The recommended arm's judgements by point and metric, corrected as the report has them."""
    found: dict[tuple[str, str], tuple[Judgement, Level]] = {}
    for verdict in judged:
        for j in verdict.others:
            if j.arm == RECOMMENDED:
                found.setdefault((j.point.id, j.metric.name), (j, "beside"))
        for j in verdict.deciding:
            found[j.point.id, j.metric.name] = j, "deciding"
    return found


def _of_point(judged: Sequence[tuple[Judgement, Level]]) -> Stability:
    (first, level), *_ = judged
    metric = first.metric
    values = [_values(j.point, metric.name) for j, _ in judged]
    return Stability(
        level=level,
        name=first.point.id,
        metric=metric.name,
        clocked=metric.kind in CLOCKED,
        exact=metric.exact,
        values_differ=any(_differ(values[0], other) for other in values[1:]),
        verdicts=tuple(j.verdict for j, _ in judged),
    )


def _values(record: PointRecord, metric: str) -> Mapping[str, Sequence[object]]:
    """The values by arm, one per seed, or how the steps ended where that is the metric."""
    found = record.values.get(metric)
    return found.by_arm if found is not None else record.outcomes


def _differ(one: Mapping[str, Sequence[object]], other: Mapping[str, Sequence[object]]) -> bool:
    """Whether a seed that both runs had gave another value; a budget may have left one of them fewer. NaN is itself."""
    if set(one) != set(other):
        return True
    # A run with fewer seeds has no other values, so the longer list's rest is left.
    return any(str(a) != str(b) for arm in one for a, b in zip(one[arm], other[arm], strict=False))


def agreement(found: Sequence[Stability]) -> float:
    """The mean share of runs with the commonest verdict; 1 for nothing to compare."""
    return sum(s.stayed for s in found) / len(found) if found else 1.0


def to_text(series: Series) -> str:
    """What did not stay, and the figures that count."""
    deciding = [s for s in series.found if s.level != "beside"]
    exact = [s for s in series.found if s.exact]
    claims = series.of("claim", clocked=False)
    lines = [f"{s.level:9} {' '.join(filter(None, (s.name, s.metric)))}: {_told(s)}" for s in series.moved]
    return "\n".join(
        [
            *lines,
            f"{series.runs} runs of {series.machine}",
            _agreeing("claims", claims),
            _agreeing("claims decided by a clock", [s for s in claims if s.clocked]),
            _agreeing("deciding verdicts on time", series.of("deciding", clocked=True)) + " (wanted: at least 98 %)",
            _agreeing("verdicts on time beside them", series.of("beside", clocked=True)),
            _agreeing("exact verdicts", exact) + f", {sum(s.values_differ for s in exact)} of other values (wanted: 0)",
            f"{sum(s.flips for s in deciding)} flip between CONFIRMED and BACKFIRES (wanted: 0)",
            f"{sum(s.too_unclear for s in deciding)} UNCLEAR in more than one run of five (wanted: 0)",
        ]
    )


def _agreeing(what: str, found: Sequence[Stability]) -> str:
    return f"{len(found)} {what}: {agreement(found) * 100:.1f} % agree"


def _told(s: Stability) -> str:
    remark = " (exact, and its values differ)" if s.exact and s.values_differ else ""
    return f"{_SEPARATOR.join(s.verdicts)}{remark}"


_COLUMNS = ("machine", "load", "level", "name", "metric", "clocked", "exact", "values_differ", "verdicts")


def to_csv(series: Series) -> str:
    """A line for everything, the verdicts in the order of the runs: what ``read`` reads."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for s in series.found:
        told = [int(s.clocked), int(s.exact), int(s.values_differ), _SEPARATOR.join(s.verdicts)]
        writer.writerow([series.machine, series.load, s.level, s.name, s.metric, *told])
    return out.getvalue()


def read(text: str) -> Series:
    """What ``to_csv`` wrote. Raises ValueError (pydantic's ValidationError is one) for anything else."""
    rows: list[dict[str, Any]] = list(csv.DictReader(io.StringIO(text)))
    heads = {(row.pop("machine", None), row.pop("load", None)) for row in rows}
    if len(heads) != 1:
        raise ValueError(f"it is of {len(heads)} machines, wanted 1")
    machine, load = heads.pop()
    found = TypeAdapter(tuple[Stability, ...]).validate_python(rows)
    if len({len(s.verdicts) for s in found}) != 1:
        raise ValueError("its lines do not all have the same number of verdicts")
    return Series(str(machine), TypeAdapter(int).validate_python(load), found)
