"""From a run's raw samples to what it says of each claim. Derived anew every time, never stored."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bench.changes import changes_of
from bench.claims import Claim, Claims, Promise
from bench.metrics import CLOCKED
from bench.pair import ANTI_PATTERN, RECOMMENDED
from bench.results import MetricInfo, PointRecord, Run
from bench.stats import Interval, at_least, holm, interval, p_beyond

SIGNIFICANCE = 0.05
_LARGEST_LOG = 300.0


class Verdict(StrEnum):
    """What a run says of a claim."""

    CONFIRMED = "CONFIRMED"
    WEAKER = "WEAKER"
    NO_EFFECT = "NO EFFECT"
    BACKFIRES = "BACKFIRES"
    UNCLEAR = "UNCLEAR"
    NOT_MEASURED = "NOT MEASURED"
    BROKEN = "BROKEN"


HOLDS = (Verdict.CONFIRMED, Verdict.WEAKER)


@dataclass(frozen=True)
class Judgement:
    """One metric of one arm against the anti-pattern, at one point.

    ``change`` is in logs for ratios and in the metric's unit for differences; None when there is no number.
    ``levels`` holds the anti-pattern's and the arm's own typical value, ``values`` the single changes, one per
    replicate or seed, on the scale of ``change``. ``why`` is one plain sentence.
    """

    point: PointRecord
    metric: MetricInfo
    arm: str
    verdict: Verdict
    why: str
    change: Interval | None = None
    levels: tuple[float, float] | None = None
    p_value: float | None = None
    promise: Promise | None = None
    claim: str = ""
    values: tuple[float, ...] = ()

    @property
    def ratio(self) -> tuple[float, float, float] | None:
        """Recommended over anti-pattern as (estimate, low, high), for ratio metrics."""
        if self.change is None or self.metric.comparison != "ratio":
            return None
        return math.exp(self.change.estimate), math.exp(self.change.low), math.exp(self.change.high)


@dataclass(frozen=True)
class ClaimVerdict:
    """What the run says of one claim: the judgements that decide, and everything else that was measured for it."""

    claim: Claim
    verdict: Verdict
    why: str
    deciding: tuple[Judgement, ...] = ()
    others: tuple[Judgement, ...] = ()
    records: tuple[PointRecord, ...] = field(default=())


@dataclass(frozen=True)
class Controls:
    """What the run's control pairs say: ``resolution`` is the smallest fraction that the run can tell apart."""

    passed: bool
    resolution: float | None
    faults: tuple[str, ...]
    judgements: tuple[Judgement, ...]


def judge_run(run: Run, claims: Claims, *, beside: bool = True) -> list[ClaimVerdict]:
    """The verdict on every claim of the file, in its order; directional ones corrected for their number (Holm).

    Without ``beside`` only what decides is judged, in a third of the time and with the same verdicts.
    """
    known = claims.by_id()
    pairs = [p for p in run.points if p.role == "pair"]
    judged = [j for p in pairs for c in p.claims if c in known for j in judge_point(p, known[c], beside=beside)]
    controls = check_controls(run)
    judged = _corrected(judged, known) if controls.passed else [_withheld(j, controls) for j in judged]
    by_claim: dict[str, list[Judgement]] = {c: [] for c in known}
    for j in judged:
        by_claim[j.claim].append(j)
    records = {c: tuple(p for p in pairs if c in p.claims) for c in known}
    return [_judge_claim(c, records[c.id], by_claim[c.id]) for c in claims.claim]


def judge_point(record: PointRecord, claim: Claim | None = None, *, beside: bool = True) -> list[Judgement]:
    """Every metric of every arm of one point, for one of its claims, before any correction; empty if not measured."""
    if record.status != "measured":
        return []
    return [
        replace(
            judge_metric(record, metric, arm, claim.promise(metric.kind) if claim else None),
            claim=claim.id if claim else "",
        )
        for metric in record.metrics
        for arm in record.arms
        if arm != ANTI_PATTERN and (beside or claim is None or _can_decide(record, metric, arm, claim))
    ]


def judge_metric(
    record: PointRecord, metric: MetricInfo, arm: str, promise: Promise | None = None, base: str = ANTI_PATTERN
) -> Judgement:
    """One metric of one arm at one point, against ``base``."""
    if metric.comparison == "outcome":
        return _judge_outcome(record, metric, arm)
    values, levels = changes_of(record, metric, arm, base)
    if len(values) < 2:
        reason = _why_no_value(record, metric, len(values))
        return Judgement(record, metric, arm, Verdict.NOT_MEASURED, reason, promise=promise)
    if not all(math.isfinite(v) for v in values):
        return _judge_infinite(record, metric, arm, levels)
    change = _no_finer_than_the_test(interval(values), record, metric)
    if metric.comparison == "ratio":
        change = _with_ratios(change)
    zone = math.log1p(metric.zone) if metric.comparison == "ratio" else metric.zone
    verdict, why = decide(change, zone, metric, promise)
    p_value = p_beyond(values, math.copysign(zone, change.estimate))
    return Judgement(record, metric, arm, verdict, why, change, levels, p_value, promise, values=tuple(values))


def _no_finer_than_the_test(change: Interval, record: PointRecord, metric: MetricInfo) -> Interval:
    values = record.values.get(metric.name)
    if metric.comparison != "difference" or values is None or values.of is None:
        return change
    return at_least(change, values.of * change.n)


def _with_ratios(change: Interval) -> Interval:
    """The same, no further out than where a ratio is still a number: an interval of two wild values reaches past it."""
    estimate, low, high = (max(-_LARGEST_LOG, min(_LARGEST_LOG, v)) for v in (change.estimate, change.low, change.high))
    return Interval(estimate, low, high, change.n)


def decide(change: Interval, zone: float, metric: MetricInfo, promise: Promise | None) -> tuple[Verdict, str]:
    """The verdict on an interval: beyond the zone on one side, inside it, or neither; then the promise."""
    gain = _towards_better(change, metric.better)
    if promise is not None and _is_cost(promise, metric):
        return _decide_cost(gain, promise, metric)
    if gain.low > zone:
        if promise is not None and gain.high < _weak_end(promise, metric) - zone:
            return Verdict.WEAKER, f"better, but short of the promised {promise.text_en}"
        return Verdict.CONFIRMED, "better beyond doubt"
    if gain.high < -zone:
        return Verdict.BACKFIRES, "worse beyond doubt"
    if -zone <= gain.low and gain.high <= zone:
        return Verdict.NO_EFFECT, "no difference that matters"
    return Verdict.UNCLEAR, _too_wide(change, zone, metric)


def combine(judgements: Sequence[Judgement]) -> tuple[Verdict, str]:
    """One verdict from several points of a claim: where they disagree, the sentence says which says what."""
    by_verdict: dict[Verdict, list[str]] = {}
    for j in judgements:
        by_verdict.setdefault(j.verdict, []).append(_where(j))
    if len(by_verdict) == 1:
        return judgements[0].verdict, judgements[0].why
    told = "; ".join(f"{v} at {', '.join(places)}" for v, places in by_verdict.items())
    found = set(by_verdict) - {Verdict.NOT_MEASURED}
    if len(found) == 1:
        return found.pop(), told
    if found & set(HOLDS):
        return Verdict.WEAKER, f"holds in part: {told}"
    return (Verdict.BACKFIRES if Verdict.BACKFIRES in found else Verdict.UNCLEAR), told


def check_controls(run: Run) -> Controls:
    """The same work must come out NO EFFECT and planted work be found; the former's spread is the resolution."""
    judged, faults = [], []
    for record in run.points:
        if record.role != "control":
            continue
        found = [j for j in judge_point(record) if j.metric.kind == "time"]
        if not found:
            told = f"{record.status}{f' ({record.reason})' if record.reason else ''}"
            faults.append(f"{record.id}{record.turn}: {told}")
        judged += found
        faults += [f"{record.id}{record.turn}: {fault}" for j in found if (fault := _control_fault(j))]
    same = [j.change for j in judged if "/same" in j.point.pair and j.change is not None]
    resolution = max((math.expm1(max(abs(c.low), abs(c.high))) for c in same), default=None)
    if not judged and not faults:
        faults.append("no control was measured")
    if run.profile == "smoke":
        faults = ["a smoke run shows that everything runs, and is too short to say more"]
    return Controls(not faults, resolution, tuple(faults), tuple(judged))


def _control_fault(j: Judgement) -> str | None:
    wanted = (Verdict.NO_EFFECT, Verdict.UNCLEAR) if "/same" in j.point.pair else (Verdict.BACKFIRES,)
    if j.verdict in wanted:
        return None
    truth = "the same work twice" if "/same" in j.point.pair else "planted extra work"
    return f"{truth} came out {j.verdict}, wanted {wanted[0]}"


def _judge_outcome(record: PointRecord, metric: MetricInfo, arm: str) -> Judgement:
    anti, other = record.outcomes.get(ANTI_PATTERN, []), record.outcomes.get(arm, [])
    if not anti or not other:
        return Judgement(record, metric, arm, Verdict.NOT_MEASURED, "no outcome was recorded")
    works = [all(o == "returns" for o in side) for side in (anti, other)]
    told = f"anti-pattern {anti[0]}; {arm.replace('_', ' ')} {other[0]}"
    verdict = Verdict.NO_EFFECT if works[0] == works[1] else Verdict.CONFIRMED if works[1] else Verdict.BACKFIRES
    return Judgement(record, metric, arm, verdict, told)


def _judge_infinite(record: PointRecord, metric: MetricInfo, arm: str, levels: tuple[float, float] | None) -> Judgement:
    values = record.values[metric.name].by_arm
    finite = {a: all(v is None or math.isfinite(v) for v in values.get(a, [])) for a in (ANTI_PATTERN, arm)}
    zero_to_more = metric.comparison == "ratio" and all(finite.values())
    if zero_to_more and levels is not None:
        better = (levels[1] < levels[0]) == (metric.better == "lower")
        told = f"from {levels[0]:g} to {levels[1]:g}{' ' + metric.unit if metric.unit else ''}"
        return Judgement(record, metric, arm, Verdict.CONFIRMED if better else Verdict.BACKFIRES, told, levels=levels)
    if finite[ANTI_PATTERN] == finite[arm]:
        return Judgement(record, metric, arm, Verdict.NO_EFFECT, "not finite in either arm", levels=levels)
    verdict = Verdict.CONFIRMED if finite[arm] else Verdict.BACKFIRES
    told = f"not finite in the {'anti-pattern' if finite[arm] else arm.replace('_', ' ')} only"
    return Judgement(record, metric, arm, verdict, told, levels=levels)


def _towards_better(change: Interval, better: str) -> Interval:
    if better == "higher":
        return change
    return Interval(-change.estimate, -change.high, -change.low, change.n)


def _ends(promise: Promise, metric: MetricInfo) -> tuple[float, float]:
    """The promise's weaker and stronger end as a gain, on the scale of the change."""
    on_scale = [_scale(v, metric) for v in (promise.low, promise.high)]
    gains = sorted(v if metric.better == "higher" else -v for v in on_scale)
    return gains[0], gains[1]


def _scale(value: float, metric: MetricInfo) -> float:
    if metric.comparison == "difference":
        return value
    return math.log(value) if value > 0 else -math.inf


def _weak_end(promise: Promise, metric: MetricInfo) -> float:
    return _ends(promise, metric)[0]


def _is_cost(promise: Promise, metric: MetricInfo) -> bool:
    """Whether the document promises a bounded loss ("1-3 % accuracy") and not a gain."""
    return _ends(promise, metric)[1] <= 0


def _decide_cost(gain: Interval, promise: Promise, metric: MetricInfo) -> tuple[Verdict, str]:
    worst = _weak_end(promise, metric)
    if gain.low >= worst:
        return Verdict.CONFIRMED, f"no worse than the admitted {promise.text_en}"
    if gain.high < worst:
        return Verdict.BACKFIRES, f"worse than the admitted {promise.text_en}"
    return Verdict.UNCLEAR, f"the interval reaches past the admitted {promise.text_en}"


def _too_wide(change: Interval, zone: float, metric: MetricInfo) -> str:
    if metric.comparison == "ratio":
        reach, edge = math.expm1(change.half_width) * 100, math.expm1(zone) * 100
        return (
            f"the interval (±{reach:.1f} %, {change.n} independent values) crosses the edge of the zone (±{edge:.1f} %)"
        )
    reach, unit = change.half_width, f" {metric.unit}" if metric.unit else ""
    return f"the interval (±{reach:.3g}{unit}, {change.n} seeds) crosses the edge of the zone (±{zone:g}{unit})"


def _why_no_value(record: PointRecord, metric: MetricInfo, n: int) -> str:
    values = record.values.get(metric.name)
    if values is not None and values.reason:
        return values.reason
    if metric.kind == "device_time" and not n:
        return f"{record.device} has no clock of its own"
    return f"only {n} value of 2 wanted" if n else "nothing was recorded"


def _where(j: Judgement) -> str:
    return (
        f"{j.point.pair.rsplit('/', 1)[-1]} {j.point.point.axis}={j.point.point.value}" if j.point.point else j.point.id
    )


def _corrected(judged: list[Judgement], claims: dict[str, Claim]) -> list[Judgement]:
    """Holm over the directional verdicts that decide a claim: what does not survive is UNCLEAR.

    What stands beside decides nothing and is not corrected; values that are all the same leave nothing to chance.
    """
    # Every point that decides is a test, whether it came out directional or not.
    tested = [i for i, j in enumerate(judged) if _decides(j, claims[j.claim]) and len(set(j.values)) > 1]
    directional = [i for i in tested if judged[i].verdict in (*HOLDS, Verdict.BACKFIRES)]
    tests = len(tested)
    p_values = [judged[i].p_value or 0.0 for i in directional] + [1.0] * (tests - len(directional))
    adjusted = holm(p_values)
    result = list(judged)
    for i, p in zip(directional, adjusted, strict=False):
        if p >= SIGNIFICANCE and not (judged[i].promise and _is_cost_of(judged[i])):
            why = f"{judged[i].why} on its own, but not among {tests} comparisons (p {p:.2g} ≥ {SIGNIFICANCE}, Holm)"
            result[i] = replace(judged[i], verdict=Verdict.UNCLEAR, why=why)
    return result


def _is_cost_of(j: Judgement) -> bool:
    return j.promise is not None and _is_cost(j.promise, j.metric)


def _withheld(j: Judgement, controls: Controls) -> Judgement:
    if j.verdict is Verdict.NOT_MEASURED or j.metric.kind not in CLOCKED:
        return j
    return replace(j, verdict=Verdict.UNCLEAR, why=f"withheld, the run's controls failed: {controls.faults[0]}")


def _judge_claim(claim: Claim, records: tuple[PointRecord, ...], judged: Sequence[Judgement]) -> ClaimVerdict:
    deciding = tuple(j for j in judged if _decides(j, claim))
    others = tuple(j for j in judged if not _decides(j, claim))
    if deciding:
        verdict, why = combine(deciding)
    else:
        verdict, why = _without_judgement(claim, records)
    return ClaimVerdict(claim, verdict, why, deciding, others, records)


def _decides(j: Judgement, claim: Claim) -> bool:
    return _can_decide(j.point, j.metric, j.arm, claim)


def _can_decide(record: PointRecord, metric: MetricInfo, arm: str, claim: Claim) -> bool:
    """The claim's own metric and arm, at a point inside its words, on hardware that it speaks of."""
    inside = record.point is None or not record.point.outside
    return arm == RECOMMENDED and metric.kind == claim.metric and inside and answers(record.device, claim)


def answers(device: str, claim: Claim) -> bool:
    """Whether a measurement on this device can answer the claim: a CPU never answers for a claim about GPUs."""
    return "cpu" in claim.hardware or (device == "cuda" and "cuda" in claim.hardware)


def _without_judgement(claim: Claim, records: Sequence[PointRecord]) -> tuple[Verdict, str]:
    broken = [r for r in records if r.status == "broken"]
    if broken:
        return Verdict.BROKEN, broken[0].reason or "no reason was recorded"
    reasons = [r.reason for r in records if r.status == "not measured" and r.reason]
    if reasons:
        return Verdict.NOT_MEASURED, reasons[0]
    if any(answers(r.device, claim) for r in records):
        return Verdict.NOT_MEASURED, f"nothing measured its {claim.metric} inside its own words"
    if records:
        wanted = " or ".join(claim.hardware).replace("cuda", "CUDA").replace("gpus", "two GPUs")
        return Verdict.NOT_MEASURED, f"needs {wanted}; what was measured here stands beside it"
    return Verdict.NOT_MEASURED, "no pair measured it in this run"
