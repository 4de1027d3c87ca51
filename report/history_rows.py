"""A machine's history in words: rows for the page, with the numbers that its charts are drawn from."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bench.results import MetricInfo
from bench.stats import Interval
from bench.verdict import Verdict
from report.digest import Digest, Reading
from report.escape import clip, plain
from report.history import Change, Differences, MachineHistory, Track, date_of, environment_changes
from report.marks import MARKS, Mark
from report.numbers import change_of, exp, gain_of, three
from report.versions import VersionTable, version_table
from report.words import Words

# The index speaks of changes in so many of a machine's newest runs.
LATELY = 10
# Tracks beyond these are told without a picture, or a page of a machine where everything moved would have no end.
MOST_CHARTS = 40
# A table of every night would make most of the page.
MOST_READINGS = 30


@dataclass(frozen=True)
class ReadingRow:
    """One run's line under a chart: ``value`` is on the chart's scale as (estimate, low, high)."""

    date: str
    run: str
    told: str
    mark: Mark
    word: str
    value: tuple[float, float, float] | None


@dataclass(frozen=True)
class ChangeRow:
    """A change in a sentence or two; ``at`` is its place among the track's rows, ``levels`` the chart's two lines.

    A level is (first row, last row, value on the chart's scale).
    """

    number: int
    at: int
    sentences: tuple[str, ...]
    levels: tuple[tuple[int, int, float], ...]


@dataclass(frozen=True)
class TrackRow:
    """One track with its changes; with ``ratio`` its scale is in times better, when ``inverted`` less is better."""

    id: str
    claim: str
    label: str
    ratio: bool
    inverted: bool
    zone: float
    changes: tuple[ChangeRow, ...]
    readings: tuple[ReadingRow, ...]
    charted: bool

    @property
    def shown(self) -> tuple[ReadingRow, ...]:
        """The newest readings, newest first; all of them are in the JSON."""
        return self.readings[: -MOST_READINGS - 1 : -1]


@dataclass(frozen=True)
class UnchangedRow:
    """A track without a change: its newest reading, how far its estimates reached, and how often each verdict came."""

    claim: str
    label: str
    runs: int
    newest: str
    mark: Mark
    word: str
    range: str
    verdicts: str


@dataclass(frozen=True)
class MachineRows:
    """Everything the history page says of one machine."""

    id: str
    name: str
    title: str
    summary: str
    cautions: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]
    versions: VersionTable | None
    changed: tuple[TrackRow, ...]
    unchanged: tuple[UnchangedRow, ...]


@dataclass(frozen=True)
class Lately:
    """What the index says of a machine's newest runs; each line with the anchor on the history page that tells more."""

    id: str
    sentence: str
    lines: tuple[tuple[str, str], ...]
    versions: str


def machine_rows(history: MachineHistory, words: Words) -> MachineRows:
    """The machine's section of the history page."""
    runs = history.runs
    newest = runs[-1]
    kind = ", ".join(history.machine.gpus) if newest.device == "cuda" else history.machine.cpu
    return MachineRows(
        id=_id(history),
        name=history.machine.name,
        title=plain(f"{history.machine.name}: {kind}"),
        summary=words.history_summary.format(
            n=len(runs),
            first=plain(date_of(runs[0])),
            last=plain(date_of(newest)),
            tracks=len(history.tracks),
            changed=len(history.changed),
        ),
        cautions=_cautions(history, words),
        environment=tuple(
            (plain(date_of(runs[i])), _told(changed, words)) for i, changed in environment_changes(runs)[::-1]
        ),
        versions=version_table(runs, words),
        changed=tuple(_track_row(t, i, history, words) for i, t in enumerate(history.changed)),
        unchanged=tuple(_unchanged_row(t, words) for t in history.unchanged),
    )


def lately(history: MachineHistory, words: Words) -> Lately:
    """What changed in the machine's newest runs, the newest first."""
    since = max(1, len(history.runs) - LATELY)
    recent = [(i, t) for i, t in enumerate(history.changed) if t.changes[-1].at >= since]
    n = len(history.runs) - since
    sentence = words.lately_changed if recent else words.lately_unchanged
    versions = version_table(history.runs, words)
    return Lately(
        id=_id(history),
        sentence=sentence.format(n=n, changed=len(recent)),
        lines=tuple((f"{_id(history)}-{i}", _short(t, history.runs, words)) for i, t in recent[:3]),
        versions=words.comma.join(versions.versions) if versions else "",
    )


def _id(history: MachineHistory) -> str:
    """Safe, since a run document's machine has a name that is checked for it."""
    return f"_m-{history.machine.name}"


def _cautions(history: MachineHistory, words: Words) -> tuple[str, ...]:
    found = []
    if history.withheld:
        found.append(words.history_withheld.format(n=history.withheld))
    if len(history.runs) < 4:
        found.append(words.history_short)
    return tuple(found)


def _track_row(track: Track, number: int, history: MachineHistory, words: Words) -> TrackRow:
    metric = track.gauge.info()
    places = {run: place for place, run in enumerate(track.runs)}
    return TrackRow(
        id=f"{_id(history)}-{number}",
        claim=plain(track.key.claim),
        label=_label(track, words),
        ratio=metric.comparison == "ratio",
        inverted=metric.comparison != "ratio" and metric.better == "lower",
        zone=metric.zone,
        changes=tuple(
            _change_row(c, k, places, track, metric, history.runs, words) for k, c in enumerate(track.changes, 1)
        ),
        readings=tuple(
            _reading_row(r, history.runs[i], metric, words) for i, r in zip(track.runs, track.readings, strict=True)
        ),
        charted=number < MOST_CHARTS and any(r.change for r in track.readings),
    )


def _label(track: Track, words: Words) -> str:
    return plain(f"{track.key.point} ({track.key.device}): {words.name_of(track.gauge.info())}")


def _reading_row(reading: Reading, run: Digest, metric: MetricInfo, words: Words) -> ReadingRow:
    interval = reading.interval
    return ReadingRow(
        date=plain(date_of(run)),
        run=plain(run.id),
        told=change_of(interval, metric, words).text if interval else clip(reading.told, 200),
        mark=MARKS[reading.verdict],
        word=words.verdicts[reading.verdict],
        value=_value(interval, metric) if interval else None,
    )


def _value(interval: Interval, metric: MetricInfo) -> tuple[float, float, float]:
    """On the chart's scale: times better for ratios, else the metric's unit."""
    gain = gain_of(interval, metric)
    return gain if gain is not None else (interval.estimate, interval.low, interval.high)


def _change_row(
    change: Change,
    number: int,
    places: dict[int, int],
    track: Track,
    metric: MetricInfo,
    runs: Sequence[Digest],
    words: Words,
) -> ChangeRow:
    date = plain(date_of(runs[change.at]))
    sentences = []
    levels: tuple[tuple[int, int, float], ...] = ()
    if change.step is not None:
        sentences.append(_step_sentence(change, track, date, metric, words))
        step = change.step
        numbered = [k for k, r in enumerate(track.readings) if r.change is not None]
        levels = tuple(
            (numbered[begin], numbered[end - 1], _value(_interval(level), metric)[0])
            for begin, end, level in ((step.begin, step.at, step.before), (step.at, step.end, step.after))
        )
    turned = change.turned
    if turned is not None:
        before, after = (words.verdicts[v] for v in turned)
        template = words.history_verdict if change.step else words.history_verdict_alone
        sentences.append(template.format(date=date, before=before, after=after))
    sentences.append(_with_it(change.around, words))
    return ChangeRow(number, places[change.at], tuple(sentences), levels)


def _step_sentence(change: Change, track: Track, date: str, metric: MetricInfo, words: Words) -> str:
    assert change.step is not None
    step = change.step
    return words.history_step.format(
        date=date,
        before=change_of(_interval(step.before), metric, words).text,
        m=step.at - step.begin,
        after=change_of(_interval(step.after), metric, words).text,
        n=step.end - step.at,
        size=_size(step.after[0] - step.before[0], metric, words),
    )


def _size(shift: float, metric: MetricInfo, words: Words) -> str:
    """How much the recommended way has gained or lost."""
    gained = shift > 0 if metric.better == "higher" else shift < 0
    template = words.history_better if gained else words.history_worse
    if metric.comparison == "ratio":
        return template.format(n=f"{three(exp(abs(shift)))}×")
    scale, unit = (100.0, words.history_points) if metric.unit == "share" else (1.0, plain(metric.unit))
    return template.format(n=f"{three(abs(shift) * scale)} {unit}".strip())


def _interval(level: tuple[float, float, float]) -> Interval:
    return Interval(*level, n=2)


def _with_it(around: Differences, words: Words) -> str:
    return words.history_with.format(told=_told(around, words)) if around else words.history_with_nothing


def _told(around: Differences, words: Words) -> str:
    named = (f"{words.facts.get(name, plain(name))} {clip(one, 80)} → {clip(other, 80)}" for name, one, other in around)
    return "; ".join(named)


def _short(track: Track, runs: Sequence[Digest], words: Words) -> str:
    """The newest change in one line for the index."""
    change = track.changes[-1]
    metric = track.gauge.info()
    size = _size(change.step.after[0] - change.step.before[0], metric, words) if change.step else ""
    turned = change.turned
    verdicts = " → ".join(words.verdicts[v] for v in turned) if turned else ""
    torch = next((f"torch {clip(a, 40)} → {clip(b, 40)}" for name, a, b in change.around if name == "torch"), "")
    told = words.comma.join(part for part in (size, verdicts, torch) if part)
    return f"{plain(date_of(runs[change.at]))} {plain(track.key.claim)}{_point(track)}: {told}"


def _point(track: Track) -> str:
    found = re.search(r"\[.*\]$", track.key.point)
    return f" {plain(found[0])}" if found else ""


def _unchanged_row(track: Track, words: Words) -> UnchangedRow:
    metric = track.gauge.info()
    newest = track.readings[-1]
    interval = newest.interval
    counts = Counter(r.verdict for r in track.readings)
    return UnchangedRow(
        claim=plain(track.key.claim),
        label=_label(track, words),
        runs=len(track.readings),
        newest=change_of(interval, metric, words).text if interval else clip(newest.told, 120),
        mark=MARKS[newest.verdict],
        word=words.verdicts[newest.verdict],
        range=_range(track.readings, metric),
        verdicts=words.comma.join(f"{words.verdicts[v]} ×{n}" for v, n in _in_order(counts)),
    )


def _in_order(counts: Counter[Verdict]) -> list[tuple[Verdict, int]]:
    return [(v, counts[v]) for v in Verdict if counts[v]]


def _range(readings: Sequence[Reading], metric: MetricInfo) -> str:
    """The lowest and the highest estimate: times better, or in the unit."""
    values = [_value(r.interval, metric)[0] for r in readings if r.interval]
    known = [v for v in values if math.isfinite(v)]
    if not known:
        return "–"
    scale, unit = (1.0, "×") if metric.comparison == "ratio" else (100.0, " %") if metric.unit == "share" else (1.0, "")
    low, high = three(min(known) * scale), three(max(known) * scale)
    return f"{low}{unit}" if low == high else f"{low} … {high}{unit}"
