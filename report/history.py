"""A machine over time: every pair's ratio run by run, where it changed for good, and what else changed with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bench.results import Machine
from bench.verdict import Verdict
from report.digest import Digest, Gauge, Key, Reading
from report.facts import when
from report.numbers import log_zone
from report.steps import Series, Step, errors_of, inflation, settled, steps_of, verdict_changes

Differences = tuple[tuple[str, str, str], ...]
# What is not the environment, and yet may be why a number changed.
_OURS = ("profile", "seed", "commit")


@dataclass(frozen=True)
class Change:
    """Something that is different from run ``at`` on; ``last`` is the run before it that measured the same pair.

    ``step`` is None where only the verdict changed, as of pairs without a number. ``before`` and ``after`` are what two
    runs in turn said, None where they did not agree; ``around`` is what else differs, as (name, before, after).
    """

    last: int
    at: int
    step: Step | None
    before: Verdict | None
    after: Verdict | None
    around: Differences

    @property
    def turned(self) -> tuple[Verdict, Verdict] | None:
        """The verdicts before and after, where the pair says something else since."""
        if self.before is None or self.after is None or self.before is self.after:
            return None
        return self.before, self.after


@dataclass(frozen=True)
class Track:
    """One pair's deciding metric at one point: its readings, the runs they are from, and the changes in their order."""

    key: Key
    gauge: Gauge
    runs: tuple[int, ...]
    readings: tuple[Reading, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class MachineHistory:
    """All finished runs of a machine that are measurements, oldest first, and their tracks.

    ``withheld`` counts the runs whose controls failed: what the clock says in them is in no track.
    """

    machine: Machine
    runs: tuple[Digest, ...]
    tracks: tuple[Track, ...]

    @property
    def withheld(self) -> int:
        """How many runs failed their controls."""
        return sum(not run.passed for run in self.runs)

    @property
    def changed(self) -> tuple[Track, ...]:
        """The tracks with a change, the newest first, then those whose verdict changed."""
        found = [t for t in self.tracks if t.changes]
        return tuple(sorted(found, key=lambda t: (-t.changes[-1].at, t.changes[-1].turned is None)))

    @property
    def unchanged(self) -> tuple[Track, ...]:
        """The others."""
        return tuple(t for t in self.tracks if not t.changes)


def histories(found: Iterable[Digest]) -> list[MachineHistory]:
    """Every machine with two finished runs or more that are measurements; ``found`` is in the order of time."""
    by_machine: dict[str, list[Digest]] = defaultdict(list)
    for digest in found:
        if digest.finished is not None and digest.profile != "smoke":
            by_machine[digest.machine.name].append(digest)
    return [_history(runs) for _, runs in sorted(by_machine.items()) if len(runs) > 1]


def differences(before: Digest, after: Digest) -> Differences:
    """What is recorded around two runs and is not the same, as (name, before, after)."""
    one, other = around(before), around(after)
    names = dict.fromkeys([*one, *other])
    return tuple((n, one.get(n, "–"), other.get(n, "–")) for n in names if one.get(n) != other.get(n))


def environment_changes(runs: Sequence[Digest]) -> list[tuple[int, Differences]]:
    """Every run before which the machine or its software changed, with what did."""
    found = [(i, tuple(d for d in differences(runs[i - 1], runs[i]) if d[0] not in _OURS)) for i in range(1, len(runs))]
    return [(i, changed) for i, changed in found if changed]


def around(run: Digest) -> dict[str, str]:
    """Machine, software and the suite itself, by the names that the report has for them."""
    m, e = run.machine, run.environment
    named = {
        "torch": e.torch,
        "cuda": e.cuda,
        "cudnn": e.cudnn,
        "driver": m.driver,
        "gpus": ", ".join(m.gpus),
        "cpu": m.cpu,
        "cores": str(m.cores),
        "memory": f"{m.memory_gib:g} GiB",
        "system": m.system,
        "python": e.python,
        **e.packages,
        **e.flags,
        "profile": run.profile,
        "seed": str(run.seed),
        "commit": run.commit,
    }
    return {name: value for name, value in named.items() if value}


def _history(runs: Sequence[Digest]) -> MachineHistory:
    readings: dict[Key, list[tuple[int, Reading]]] = defaultdict(list)
    for i, run in enumerate(runs):
        for reading in run.readings:
            readings[reading.key].append((i, reading))
    _add_broken(readings, runs)
    series = {key: _series(told) for key, told in readings.items()}
    inflated = inflation(list(series.values()))
    tracks = [
        _track(key, told, runs, steps_of(series[key], inflated, len(series))) for key, told in sorted(readings.items())
    ]
    return MachineHistory(runs[-1].machine, tuple(runs), tuple(tracks))


def _add_broken(readings: dict[Key, list[tuple[int, Reading]]], runs: Sequence[Digest]) -> None:
    """A pair that was measured in some runs says in others that it is broken."""
    by_place: dict[tuple[str, str, str], list[Key]] = defaultdict(list)
    for key in readings:
        by_place[key[:3]].append(key)
    for i, run in enumerate(runs):
        for place in run.failed:
            for key in by_place.get(place, ()):
                readings[key].append((i, Reading(key, readings[key][0][1].gauge, None, 0, Verdict.BROKEN, "")))
    for told in readings.values():
        told.sort(key=lambda item: item[0])


def _numbered(told: Sequence[tuple[int, Reading]]) -> list[int]:
    """The places in a track that have a number."""
    return [k for k, (_, reading) in enumerate(told) if reading.change is not None]


def _series(told: Sequence[tuple[int, Reading]]) -> Series:
    found = [told[k][1] for k in _numbered(told)]
    changes = [r.change for r in found if r.change is not None]
    return Series(
        values=np.array([estimate for estimate, _, _ in changes], dtype=float),
        errors=errors_of([(high - low) / 2 for _, low, high in changes]),
        verdicts=tuple(r.verdict for r in found),
        zone=log_zone(told[-1][1].gauge.comparison, told[-1][1].gauge.zone),
    )


def _track(key: Key, told: Sequence[tuple[int, Reading]], runs: Sequence[Digest], steps: Sequence[Step]) -> Track:
    numbered = _numbered(told)
    verdicts = [reading.verdict for _, reading in told]
    found = []
    for step in steps:
        at, last = numbered[step.at], numbered[step.at - 1]
        found.append(_change(told, runs, last, at, step))
    for at in verdict_changes(verdicts):
        last = at - 1
        # Where both sides have a number, the verdict has changed only if the number has.
        if told[at][1].change is None or told[last][1].change is None:
            found.append(_change(told, runs, last, at, None))
    return Track(
        key=key,
        gauge=told[-1][1].gauge,
        runs=tuple(i for i, _ in told),
        readings=tuple(reading for _, reading in told),
        changes=tuple(sorted(found, key=lambda c: c.at)),
    )


def _change(
    told: Sequence[tuple[int, Reading]], runs: Sequence[Digest], last: int, at: int, step: Step | None
) -> Change:
    verdicts = [reading.verdict for _, reading in told]
    before, after = told[last][0], told[at][0]
    return Change(
        last=before,
        at=after,
        step=step,
        before=settled(verdicts[: last + 1][::-1]),
        after=settled(verdicts[at:]),
        around=differences(runs[before], runs[after]),
    )


def date_of(run: Digest) -> str:
    """``2026-03-02``, or the text itself where it is no date."""
    found = when(run.started)
    return found.date().isoformat() if found else run.started
