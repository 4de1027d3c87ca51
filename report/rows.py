"""From a run and the claims to the rows of every table: texts ready to be shown, numbers kept beside them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.claims import Claim
from bench.pair import RECOMMENDED
from bench.payback import pay_back
from bench.results import PointRecord, Run
from bench.verdict import ClaimVerdict, Judgement, Verdict, answers
from report.escape import clip, plain
from report.marks import MARKS, Mark
from report.numbers import Change, change_of, duration, gain_of, level, log_zone
from report.strip import Strip
from report.sweep import Sweep, sweeps
from report.words import Words

FULL_CORE = 0.9
_KEYWORD = re.compile(r"\w[\w.+-]*", re.ASCII)
_OPERATORS = frozenset({"and", "or", "not"})


@dataclass(frozen=True)
class JudgementRow:
    """One metric of one arm at one point. ``beside`` says why it does not decide; empty when it does.

    ``gain`` is how many times better with its interval and ``promised`` the document's range on the same scale, both
    for ratios only; ``zone`` is half the range that is no difference; ``strip`` draws the single changes.
    """

    point: str
    where: str
    arm: str
    metric: str
    kind: str
    device: str
    levels: tuple[str, str] | None
    level_values: tuple[float, float] | None
    change: Change | None
    gain: tuple[float, float, float] | None
    promised: tuple[float, float] | None
    zone: float
    n: int | None
    p_value: float | None
    verdict: Verdict
    word: str
    why: str
    beside: str
    strip: Strip | None

    @property
    def mark(self) -> Mark:
        """How the verdict looks."""
        return MARKS[self.verdict]

    @property
    def told(self) -> str:
        """The change, or in words what there is instead."""
        return self.change.text if self.change else self.why


@dataclass(frozen=True)
class RecordRow:
    """One point as it was measured, or why it was not."""

    id: str
    device: str
    status: str
    word: str
    mark: Mark
    reason: str
    said: tuple[str, ...]
    same: str
    outcomes: tuple[tuple[str, str], ...]
    warnings: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    evidence: str
    pay_back: str


@dataclass(frozen=True)
class ClaimRow:
    """One claim: what it promises, what was measured, the verdict, and how to see it for oneself."""

    id: str
    topic: str
    metric: str
    hardware: tuple[str, ...]
    where: str
    advice: str
    promised: str
    verdict: Verdict
    word: str
    why: str
    command: str
    deciding: tuple[JudgementRow, ...]
    beside: tuple[JudgementRow, ...]
    records: tuple[RecordRow, ...]
    sweeps: tuple[Sweep, ...]

    @property
    def mark(self) -> Mark:
        """How the verdict looks."""
        return MARKS[self.verdict]

    @property
    def pairs(self) -> tuple[str, ...]:
        """The ids of its pairs, each once."""
        return tuple(dict.fromkeys(r.id.split("[", 1)[0] for r in self.records))

    @property
    def largest(self) -> float:
        """The largest deciding gain, for sorting; 0 where nothing is decided by a ratio."""
        return max((j.gain[0] for j in self.deciding if j.gain is not None), default=0.0)


def claim_row(found: ClaimVerdict, run: Run, words: Words) -> ClaimRow:
    """Everything the report says of one claim."""
    claim = found.claim
    return ClaimRow(
        id=claim.id,
        topic=claim.topic,
        metric=claim.metric,
        hardware=claim.hardware,
        where=plain(claim.places),
        advice=words.advice_of(claim),
        promised=promised_text(claim, words),
        verdict=found.verdict,
        word=words.verdicts[found.verdict],
        why=clip(found.why),
        command=command(run, claim, found.records),
        deciding=tuple(judgement_row(j, claim, words) for j in found.deciding),
        beside=tuple(judgement_row(j, claim, words, _why_beside(j, claim, words)) for j in found.others),
        records=tuple(record_row(r, words) for r in found.records),
        sweeps=sweeps(found, words),
    )


def judgement_row(j: Judgement, claim: Claim | None, words: Words, beside: str = "") -> JudgementRow:
    """One judgement, for a claim or, of a control, for none."""
    levels = j.levels
    return JudgementRow(
        point=plain(j.point.id + j.point.turn),
        where=_where(j.point),
        arm=words.arm_name(j.arm),
        metric=words.name_of(j.metric),
        kind=plain(j.metric.kind),
        device=plain(j.point.device),
        levels=(level(levels[0], j.metric.unit), level(levels[1], j.metric.unit)) if levels else None,
        level_values=levels,
        change=change_of(j.change, j.metric, words) if j.change else None,
        gain=gain_of(j.change, j.metric) if j.change else None,
        promised=_promised_gain(j, claim),
        zone=j.metric.zone,
        n=j.change.n if j.change else None,
        p_value=j.p_value,
        verdict=j.verdict,
        word=words.verdicts[j.verdict],
        why=clip(j.why),
        beside=beside,
        strip=_strip(j, words),
    )


def record_row(record: PointRecord, words: Words) -> RecordRow:
    """One point's evidence apart from its numbers."""
    broken = record.status == "broken"
    verdict = Verdict.BROKEN if broken else Verdict.NOT_MEASURED
    return RecordRow(
        id=plain(record.id),
        device=plain(record.device),
        status=record.status,
        word=words.verdicts[verdict],
        mark=MARKS[verdict],
        reason=clip(record.reason or ""),
        said=tuple(clip(line) for line in record.said[-20:]),
        same=plain(record.same),
        outcomes=tuple((words.arm_name(a), _counted(o)) for a, o in record.outcomes.items() if o),
        warnings=tuple((words.arm_name(a), clip(w)) for a, found in record.warnings.items() for w in found[:20]),
        notes=tuple(clip(n) for n in record.notes[:20]),
        evidence=_evidence(record, words),
        pay_back=_pay_back(record, words),
    )


def promised_text(claim: Claim, words: Words) -> str:
    """The document's number for the claim's own metric, then those for others."""
    own_first = sorted(claim.promised, key=lambda p: p.metric != claim.metric)
    told = [
        words.promise_of(p)
        if p.metric == claim.metric
        else words.labelled.format(
            label=words.metric_name(p.metric, p.metric.replace("_", " ")), text=words.promise_of(p)
        )
        for p in own_first
    ]
    return "; ".join(told) or words.no_number


def command(run: Run, claim: Claim, records: Sequence[PointRecord]) -> str:
    """The command that measures the claim again; names that a shell or ``-k`` would misread are left out."""
    names = dict.fromkeys(r.pair.rsplit("/", 1)[-1] for r in records)
    chosen = [n for n in names if _KEYWORD.fullmatch(n) and n not in _OPERATORS] or [claim.id]
    # A smoke run measures nothing worth repeating, so its claims are measured with the default profile.
    profile = " --profile full" if run.profile == "full" else ""
    return f'pytest --benchmark{profile} -k "{" or ".join(chosen)}"'


def marked_samples(records: Iterable[PointRecord]) -> tuple[int, int]:
    """Samples of one-core pairs that had less than a whole core, and all samples of such pairs."""
    shares = [
        share
        for record in records
        if record.timing is not None and len(record.timing.cores) == 1
        for replicate in record.timing.replicates
        for arm in replicate.cpu.values()
        for share in arm
    ]
    return sum(share < FULL_CORE for share in shares), len(shares)


def _strip(j: Judgement, words: Words) -> Strip | None:
    """The single changes towards better: to the right is better, whatever the metric."""
    if j.change is None:
        return None
    sign = 1 if j.metric.better == "higher" else -1
    low, high = sorted((sign * j.change.low, sign * j.change.high))
    label = words.strip_label.format(n=len(j.values), change=change_of(j.change, j.metric, words).text)
    zone = log_zone(j.metric.comparison, j.metric.zone)
    return Strip(tuple(sign * v for v in j.values), low, high, zone, MARKS[j.verdict].colour, label)


def _pay_back(record: PointRecord, words: Words) -> str:
    found = pay_back(record)
    if found is None:
        return ""
    if found.steps is None:
        return words.pay_back_never
    if found.saved_s < 0:
        return words.pay_back_fades
    return words.pay_back_steps.format(n=found.steps)


def _where(record: PointRecord) -> str:
    return plain(f"{record.point.axis}={record.point.value}") if record.point else ""


def _why_beside(j: Judgement, claim: Claim, words: Words) -> str:
    """Every reason why a judgement does not decide its claim."""
    reasons = []
    if j.point.point is not None and j.point.point.outside:
        reasons.append(words.beside_outside)
    if not answers(j.point.device, claim):
        hardware = ", ".join(claim.hardware)
        reasons.append(words.beside_device.format(device=plain(j.point.device), hardware=hardware))
    if j.arm != RECOMMENDED:
        reasons.append(words.beside_variant)
    if j.metric.kind != claim.metric:
        reasons.append(words.beside_metric)
    return words.comma.join(reasons)


def _promised_gain(j: Judgement, claim: Claim | None) -> tuple[float, float] | None:
    promise = claim.promise(j.metric.kind) if claim else None
    if promise is None or j.metric.comparison != "ratio" or promise.low <= 0:
        return None
    if j.metric.better == "higher":
        return promise.low, promise.high
    return 1 / promise.high, 1 / promise.low


def _counted(outcomes: Sequence[str]) -> str:
    """``returns ×5``, the commonest first."""
    return ", ".join(f"{clip(o)} ×{n}" for o, n in Counter(outcomes).most_common(5))


def _evidence(record: PointRecord, words: Words) -> str:
    if record.timing is None:
        return duration(record.seconds) if record.status == "measured" else ""
    bad, all_samples = marked_samples([record])
    return words.record_line.format(
        replicates=len(record.timing.replicates),
        inner=record.timing.inner,
        seconds=duration(record.seconds),
        marked=words.samples_marked.format(bad=bad, n=all_samples) if all_samples else words.not_one_core,
    )
