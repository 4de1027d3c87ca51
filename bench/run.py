"""One run: every point measured to its first look, then wide intervals narrowed, all written as it lands."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bench import store
from bench.collect import ROOT, Written
from bench.environment import commit, describe_environment, describe_machine
from bench.launch import Launcher
from bench.measure import Measurement, empty_record
from bench.needs import look_here
from bench.plan import Budget, Planned
from bench.profiles import PROFILES, Profile
from bench.results import PointRecord, Run
from bench.usage import try_usage

Tell = Callable[[Planned, PointRecord, str], None]

CONTROL_S = 5.0
USAGE_S = 0.5


class ResumeError(Exception):
    """A run cannot be gone on with; the message says what differs."""


def new_run(profile: str, seed: int, device: str, budget_s: float | None, partial: bool, command: list[str]) -> Run:
    """An empty run of this machine, starting now."""
    now, head = datetime.now(UTC), commit(ROOT)
    return Run(
        id=store.new_id(now, head),
        started=now.isoformat(timespec="seconds"),
        profile=PROFILES[profile].name,
        budget_s=budget_s,
        partial=partial,
        seed=seed,
        device=device,
        command=command,
        commit=head,
        machine=describe_machine(),
        environment=describe_environment(),
    )


def check_resumable(old: Run, now: Run) -> None:
    """Raise ResumeError unless the two runs can be one: same machine, environment, profile, device and seed."""
    for what in ("machine", "environment", "profile", "device", "seed"):
        before, after = getattr(old, what), getattr(now, what)
        if before != after:
            raise ResumeError(f"cannot resume {old.id}: its {what} was {_short(before)}, now it is {_short(after)}")


def _short(value: object) -> str:
    return str(value)[:300]


@dataclass
class Runner:
    """Carries out a plan and keeps the document on disk up to date.

    ``tell`` hears of every point as it lands; ``check`` is called before each and may raise to end the run. Whoever
    makes it has ``store.held`` the path, so that nobody else writes there.
    """

    run: Run
    path: Path
    budget: Budget
    tell: Tell
    check: Callable[[], None] = lambda: None
    _open: dict[str, Measurement] = field(default_factory=dict)

    def carry_out(self, planned: Sequence[Planned], usages: Sequence[Written] = ()) -> None:
        """Measure what is not on record yet, then finish the document. May be interrupted at any moment."""
        done = {_key(p.device, p.id + p.turn) for p in self.run.points if not _cut_by_budget(p)}
        waiting = [p for p in planned if _key(p.device, p.id) not in done]
        store.write(self.run, self.path)
        with Launcher() as launcher:
            if any(p.declared.pair.timed and not p.blocked for p in waiting):
                launcher.start_servers(min(launcher.most_servers, self._profile.servers))
            for i, point in enumerate(waiting):
                self.check()
                controls = sum(p.role == "control" for p in waiting[i + 1 :])
                self.budget.reserve = CONTROL_S * controls + USAGE_S * len(usages)
                record = self._keep(point, self._first_look(point, waiting[i:], launcher))
                self.tell(point, record, self._eta(len(waiting) - i - 1))
            self._try(usages, launcher)
            self._narrow({p.id: p for p in waiting})
        self.run.finished = datetime.now(UTC).isoformat(timespec="seconds")
        store.write(self.run, self.path)

    def _first_look(self, point: Planned, left: Sequence[Planned], launcher: Launcher) -> PointRecord:
        able = sum(not p.blocked for p in left)
        blocked = point.blocked or (self.budget.refuses(able) if point.role == "pair" else None)
        if blocked:
            return not_measured(point, blocked)
        measurement = Measurement(
            point.declared,
            point.value,
            point.device,
            self._profile,
            self.run.seed,
            launcher,
            role=point.role,
            decides=point.decides,
            promised=point.promised,
        )
        # Without its controls a run says nothing of time, so only a pair is cut short.
        deadline = ends_at = math.inf
        if point.role == "pair":
            deadline = self.budget.share(point.weight, sum(p.weight for p in left))
            ends_at = self.budget.ends_at
        measurement.begin(deadline, ends_at)
        self._open[point.id] = measurement
        return measurement.record()

    def _try(self, usages: Sequence[Written], launcher: Launcher) -> None:
        """Every usage that is not on record yet; they are exact, quick, and never cut by the budget."""
        here, done = look_here(), {(u.claim, u.where) for u in self.run.as_written}
        for written in usages:
            if (written.as_written.claim, written.as_written.where) not in done:
                self.run.as_written.append(try_usage(written, self.run.device, self.run.seed, here, launcher))
                store.write(self.run, self.path)

    def _narrow(self, planned: dict[str, Planned]) -> None:
        """Give what is left of the budget to intervals that are too wide, a look at a time.

        First come controls, then those that decide. All of them get a look before one gets the next, those first that
        are widest for what it costs.
        """
        while True:
            able = [i for i, m in self._open.items() if m.excess > 0 and m.next_cost <= self.budget.left]
            if not able:
                return
            next_ = max(able, key=lambda i: self._open[i].urgency)
            measurement = self._open[next_]
            measurement.extend(time.monotonic() + self.budget.left)
            record = self._keep(planned[next_], measurement.record())
            self.tell(planned[next_], record, "narrowed")

    @property
    def _profile(self) -> Profile:
        return PROFILES[self.run.profile]

    def _keep(self, point: Planned, found: PointRecord) -> PointRecord:
        record = _readable(point, found)
        record.turn = point.turn
        same = [
            i for i, r in enumerate(self.run.points) if _key(r.device, r.id + r.turn) == _key(point.device, point.id)
        ]
        for i in reversed(same):
            del self.run.points[i]
        self.run.points.insert(same[0] if same else len(self.run.points), record)
        store.write(self.run, self.path)
        return record

    def _eta(self, points_left: int) -> str:
        spent = time.monotonic() - self.budget.begin
        done = max(1, len(self._open))
        left = min(self.budget.left, points_left * spent / done)
        return f"{points_left} left, about {max(1, round(left / 60))} min" if points_left else ""


def not_measured(point: Planned, reason: str) -> PointRecord:
    """The record of a point that was not begun."""
    record = empty_record(point.declared, point.value, point.device, point.role, "not measured")
    record.reason = reason
    return record


def _readable(point: Planned, record: PointRecord) -> PointRecord:
    """The record, or a broken one when no document can hold it: what one arm says must not cost the others' samples."""
    try:
        PointRecord.model_validate_json(record.model_dump_json())
    except ValueError as error:
        broken = empty_record(point.declared, point.value, point.device, point.role, "broken")
        broken.reason = f"it cannot be written down ({_short(error)})"
        return broken
    return record


def _key(device: str, point: str) -> str:
    return f"{device} {point}"


def _cut_by_budget(record: PointRecord) -> bool:
    return record.status == "not measured" and (record.reason or "").startswith("budget")
