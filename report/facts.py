"""What the report says of the run as a whole: headline, controls, noise, machine, duration."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import median

from bench.results import PointRecord, Run
from bench.stats import CONFIDENCE
from bench.verdict import SIGNIFICANCE, Controls, Verdict
from report.escape import clip, plain
from report.marks import MARKS, Mark
from report.numbers import duration, percent, three
from report.rows import ClaimRow, JudgementRow, judgement_row, marked_samples
from report.words import Words

Labelled = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Count:
    """How many claims have a verdict."""

    verdict: Verdict
    word: str
    mark: Mark
    n: int


@dataclass(frozen=True)
class ControlFacts:
    """What the controls say, in one sentence and one by one."""

    passed: bool
    resolution: float | None
    sentence: str
    faults: tuple[str, ...]
    rows: tuple[JudgementRow, ...]


@dataclass(frozen=True)
class Facts:
    """Everything about the run that belongs to no single claim."""

    headline: str
    counts: tuple[Count, ...]
    cautions: tuple[str, ...]
    run_line: str
    controls: ControlFacts
    noise: Labelled
    machine: Labelled
    took: str
    method: tuple[str, ...]


def facts_of(run: Run, claims: Sequence[ClaimRow], controls: Controls, words: Words) -> Facts:
    """The run in a few sentences; ``claims`` are those that the run has a pair for."""
    counts = count_verdicts(claims, words)
    told = control_facts(controls, words)
    return Facts(
        headline=headline(counts, words),
        counts=counts,
        cautions=cautions(run, told, words),
        run_line=run_line(run, words),
        controls=told,
        noise=noise_facts(run.points, words),
        machine=machine_facts(run, words),
        took=took(run, words),
        method=method(run, words),
    )


def count_verdicts(claims: Sequence[ClaimRow], words: Words) -> tuple[Count, ...]:
    """The verdicts that occur, in the order of their enumeration."""
    found = Counter(c.verdict for c in claims)
    return tuple(Count(v, words.verdicts[v], MARKS[v], found[v]) for v in Verdict if found[v])


def headline(counts: Sequence[Count], words: Words) -> str:
    """One sentence with the count of every verdict."""
    if not counts:
        return words.headline_none
    told = words.comma.join(words.count.format(n=c.n, verdict=c.word) for c in counts)
    return words.headline.format(n=sum(c.n for c in counts), told=told)


def control_facts(controls: Controls, words: Words) -> ControlFacts:
    """The controls as a sentence and as rows."""
    # The same control fails at several times of a run with the same words.
    faults = tuple(dict.fromkeys(clip(f, 200) for f in controls.faults))
    if not controls.passed:
        sentence = words.controls_failed.format(faults="; ".join(faults))
    elif controls.resolution is None:
        sentence = words.no_resolution
    else:
        sentence = words.controls_passed.format(resolution=resolution(controls.resolution))
    rows = tuple(judgement_row(j, None, words) for j in controls.judgements)
    return ControlFacts(controls.passed, controls.resolution, sentence, faults, rows)


def resolution(fraction: float) -> str:
    """``1.4 %``: two digits, since it is itself an estimate."""
    return f"{float(f'{fraction * 100:.2g}'):g} %"


def cautions(run: Run, controls: ControlFacts, words: Words) -> tuple[str, ...]:
    """What a reader must know before the first number."""
    found = []
    if not controls.passed:
        found.append(words.withheld.format(faults="; ".join(controls.faults)))
    if run.finished is None:
        found.append(words.unfinished)
    if run.profile == "smoke":
        found.append(words.smoke)
    return tuple(found)


def run_line(run: Run, words: Words) -> str:
    """Machine, device, version, profile and date on one line."""
    gpus = " + ".join(f"{n}× {plain(g)}" if n > 1 else plain(g) for g, n in Counter(run.machine.gpus).items())
    machine = gpus if run.device == "cuda" and gpus else plain(run.machine.cpu)
    return words.run_line.format(
        machine=machine,
        device=plain(run.device),
        torch=plain(run.environment.torch),
        profile=run.profile,
        started=plain(run.started),
    )


def noise_facts(points: Sequence[PointRecord], words: Words) -> Labelled:
    """The noise records of all points in a few lines."""
    measured = [p for p in points if p.status == "measured"]
    throttle = Counter(plain(t) for p in measured for t in p.noise.throttle)
    bad, samples = marked_samples(measured)
    lines = [
        (words.noise_load, _spread([p.noise.load for p in measured], words)),
        (words.noise_steal, _spread([p.noise.steal for p in measured], words, share=True)),
        (words.noise_others, _spread([p.noise.others for p in measured], words)),
        (words.noise_celsius, _spread([p.noise.celsius for p in measured], words)),
        (words.noise_throttle, ", ".join(f"{t} ×{n}" for t, n in sorted(throttle.items()))),
        (words.noise_marked, f"{bad}/{samples} ({percent(bad / samples)})" if samples else words.noise_marked_none),
    ]
    has_gpu = any(p.device == "cuda" for p in measured)
    gpu_only = (words.noise_celsius, words.noise_throttle)
    return tuple((label, text or "–") for label, text in lines if has_gpu or label not in gpu_only)


def machine_facts(run: Run, words: Words) -> Labelled:
    """Who measured, with what, when and how."""
    m, e = run.machine, run.environment
    found = {
        "machine": m.name,
        "cpu": m.cpu,
        "cores": str(m.cores),
        "memory": f"{three(m.memory_gib)} GiB",
        "gpus": ", ".join(f"{n}× {g}" for g, n in Counter(m.gpus).items()),
        "driver": m.driver,
        "system": m.system,
        "python": e.python,
        "torch": e.torch,
        "cuda": e.cuda,
        "cudnn": e.cudnn,
        "packages": ", ".join(f"{k} {v}" for k, v in sorted(e.packages.items())),
        "flags": ", ".join(f"{k}={v}" for k, v in sorted(e.flags.items())),
        "run": run.id,
        "started": run.started,
        "finished": run.finished,
        "profile": run.profile,
        "budget": duration(run.budget_s) if run.budget_s is not None else None,
        "seed": str(run.seed),
        "device": run.device,
        "commit": run.commit,
        "command": " ".join(run.command),
        "notes": "; ".join(run.notes),
    }
    return tuple((words.facts[key], clip(text)) for key, text in found.items() if text)


def took(run: Run, words: Words) -> str:
    """Seconds spent measuring, and from start to end where both are known."""
    measuring = duration(math.fsum(p.seconds for p in run.points))
    begin, end = when(run.started), when(run.finished)
    if begin is None or end is None or end < begin:
        return words.took_unknown.format(measuring=measuring, n=len(run.points))
    whole = duration((end - begin).total_seconds())
    return words.took_line.format(measuring=measuring, n=len(run.points), whole=whole)


def when(text: str | None) -> datetime | None:
    """A moment as the run document writes it, in UTC; None for what is none."""
    try:
        found = datetime.fromisoformat(text or "")
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def method(run: Run, words: Words) -> tuple[str, ...]:
    """The method's sentences with this run's own numbers."""
    timed = [len(p.timing.replicates) for p in run.points if p.timing is not None]
    ratios = {m.zone for p in run.points if p.role == "pair" for m in p.metrics if m.comparison == "ratio"}
    return tuple(
        sentence.format(
            replicates=_from_to(timed),
            confidence=confidence(),
            zones=words.comma.join(f"±{percent(z)}" for z in sorted(ratios)) or "–",
            significance=SIGNIFICANCE,
        )
        for sentence in words.method_sentences
    )


def confidence() -> str:
    """``95 %``."""
    return percent(CONFIDENCE)


def _from_to(numbers: Sequence[int]) -> str:
    if not numbers:
        return "–"
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low}–{high}"


def _spread(values: Sequence[float | None], words: Words, *, share: bool = False) -> str:
    known = [v for v in values if v is not None and math.isfinite(v)]
    if not known:
        return words.noise_none
    shown = percent if share else three
    return words.noise_range.format(low=shown(min(known)), high=shown(max(known)), median=shown(median(known)))
