"""Whether to tell people: a verdict that two nights running say has changed, and the nights before agreed on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.claims import Claims
from bench.compare import Comparison, IncomparableError, Shift, compare
from bench.results import Run, UnreadableRunError, read_run
from bench.verdict import check_controls
from report.escape import markdown, plain

# Tonight and last night say it has changed; one or two nights before them say from what.
NEW_NIGHTS = 2
OLD_NIGHTS = 2


@dataclass(frozen=True)
class Alert:
    """What changed on a machine, as two comparisons of the same night with tonight and last night found it."""

    before: Run
    tonight: Run
    comparison: Comparison
    shifts: tuple[Shift, ...]


@dataclass(frozen=True)
class Silence:
    """Why there is nothing to tell of a machine."""

    machine: str
    why: str


def newest_nights(folder: Path, number: int) -> list[Run]:
    """A machine's newest comparable runs, newest first: finished, of the whole suite, controls passed, one profile.

    Reads only as many documents as it takes, since a folder may hold years of them.
    """
    found: list[Run] = []
    for path in sorted(folder.glob("*/run.json"), reverse=True):
        try:
            run = read_run(path)
        except UnreadableRunError:
            continue
        same = not found or (run.profile, run.device) == (found[0].profile, found[0].device)
        if run.finished is not None and not run.partial and same and check_controls(run).passed:
            found.append(run)
        if len(found) == number:
            break
    return found


def judge_nights(nights: Sequence[Run], machine: str, claims: Claims) -> Alert | Silence:
    """What two nights running say has changed since the nights before them; ``nights`` are newest first."""
    if len(nights) <= NEW_NIGHTS:
        return Silence(machine, f"needs {NEW_NIGHTS + 1} whole runs whose controls passed, found {len(nights)}")
    new, old = nights[:NEW_NIGHTS], nights[NEW_NIGHTS:]
    try:
        found = [[compare(before, after, claims) for before in old] for after in new]
    except IncomparableError as error:
        return Silence(machine, str(error))
    told = [{(s.point, s.metric): s for s in c.changed if s.verdict_changed} for by_night in found for c in by_night]
    held = [s for key, s in told[0].items() if all(key in t and _agree(s, t[key]) for t in told)]
    tonight = found[0][0]
    if not held:
        return Silence(machine, f"no verdict has changed for two nights; tonight {len(tonight.changed)} moved")
    return Alert(old[0], nights[0], tonight, tuple(held))


def _agree(one: Shift, other: Shift) -> bool:
    """Whether both say that the same verdict became the same other one."""
    return (one.base.verdict, one.new.verdict) == (other.base.verdict, other.new.verdict)


def title(alert: Alert) -> str:
    """The same for the same change, so that nobody is told twice."""
    machine = alert.tonight.machine.name
    return plain(f"{machine}: verdicts changed since {alert.before.id}")


def as_markdown(alert: Alert) -> str:
    """What differs around the runs first, then every verdict that changed."""
    lines = [
        f"{alert.tonight.id} and the run before it agree, and differ from {alert.before.id}.",
        *(f"not the same: {d.what} was {d.base}, is {d.new}" for d in alert.comparison.differences),
        *(f"{s.point} {s.metric}: {s.base.verdict} was, {s.new.verdict} is" for s in alert.shifts),
    ]
    return "\n".join([f"# {title(alert)}", "", *(f"- {markdown(line)}" for line in lines)]) + "\n"
