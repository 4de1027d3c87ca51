"""Measuring one pair at one point: check, calibrate, replicates of blocks, then the passes that are not timed.

A ``Measurement`` lives through the run: the plan gives every point its first look, then more replicates to wide ones.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Literal

from bench.arms import Arms, BrokenError, OutOfTimeError
from bench.changes import timed_changes
from bench.check import check
from bench.collect import Declared
from bench.launch import Launcher, Process
from bench.metrics import Metric
from bench.noise import NoiseMeter, cores_for, gpu_gauges, usable_cores
from bench.pair import ANTI_PATTERN, RECOMMENDED, PointValue
from bench.passes import read_counters, read_results, weigh_memory
from bench.profiles import Profile
from bench.results import MetricInfo, Point, PointRecord, Replicate, Status, Timing, Traces, Values, rounded
from bench.stats import Interval, interval, wanted_half_width

# A step this slow is warm once it has run.
SLOW_STEP_S = 0.02
LEAST_REPLICATES = 4
LEAST_JUDGED = 2
MAX_SAMPLE_S = 0.06
# How much longer than its processes' start a replicate's blocks take. On 13 points of a shared machine the spread of
# replicates fell faster than the root of their blocks, up to 8 or 12 of them: what differs from process to process is
# small beside what a busy neighbour adds to a single block. A point whose share of a budget does not hold that for its
# first look takes less, but never under the least.
BLOCKS_FOR_START = 1.5
LEAST_BLOCKS_FOR_START = 0.5


@dataclass(frozen=True)
class Calibration:
    """The same for every arm: steps per sample, blocks per replicate, the looks, and what a replicate costs."""

    inner: int
    blocks: int
    looks: tuple[int, ...]
    step_s: float
    replicate_s: float


@dataclass
class Measurement:
    """One pair at one point on one device, and the evidence so far.

    Where no clock ``decides`` a claim, fewer replicates do. ``promised`` is the ratio of times from which a document's
    promise is kept, None where it makes none.
    """

    declared: Declared
    value: PointValue | None
    device: str
    profile: Profile
    seed: int
    launcher: Launcher
    role: Literal["pair", "control"] = "pair"
    decides: bool = True
    promised: float | None = None
    calibration: Calibration | None = None
    timing: Timing | None = None
    values: dict[str, Values] = field(default_factory=dict)
    traces: dict[str, Traces] = field(default_factory=dict)
    outcomes: dict[str, list[str]] = field(default_factory=dict)
    warnings: dict[str, list[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    broken: BrokenError | None = None
    out_of_time: bool = False

    def __post_init__(self) -> None:
        # Which core is the quietest takes a moment to see, and only a clock needs to know.
        clocked = self.timed or self.declared.pair.cores == "all"
        cores = cores_for(self.declared.pair.cores) if clocked else usable_cores()[:1]
        smoke = self.profile.name == "smoke"
        self._arms = Arms(self.declared, self.value, self.device, self.seed, smoke, cores, self.launcher)
        self._given_up = False
        self._random = random.Random(f"{self.seed} {self.declared.id} {self.value}")
        self._noise = NoiseMeter(gpu_gauges if self.device == "cuda" else None)

    def begin(self, deadline: float, ends_at: float = math.inf) -> None:
        """Check, make the untimed passes, calibrate, measure to the first look; an arm's fault is kept, not raised.

        ``deadline`` is when to leave off between replicates, ``ends_at`` when to leave off at once (monotonic seconds).
        """
        self._arms.ends_at = ends_at
        with self._open():
            raising = check(self._arms)
            self._pass(raising, deadline)
            if self.timed and self.profile.measures and not raising:
                self._calibrate_and_replicate(deadline)
                self._replicate_until(self._next_look(), deadline)

    def extend(self, deadline: float) -> None:
        """Measure to the next look. An arm that fails now takes nothing of what it gave before."""
        self._arms.ends_at = deadline
        with self._open():
            self._replicate_until(self._next_look(), deadline)
        if self.broken:
            self.notes.append(f"no further replicates: {self.broken}")
            self.broken, self._given_up = None, True

    @property
    def timed(self) -> bool:
        """Whether any of the pair's metrics is a time."""
        return self.declared.pair.timed

    @property
    def excess(self) -> float:
        """How many times wider than wanted the widest interval is; 0 when nothing more is to be had."""
        if (
            self.broken
            or self.out_of_time
            or self._given_up
            or self.timing is None
            or self._next_look() <= len(self.timing.replicates)
        ):
            return 0.0
        found = self._widest()
        if found is None:
            return math.inf
        wide = found.half_width / self._wanted(found)
        return wide if wide > 1 else 0.0

    @property
    def urgency(self) -> tuple[bool, bool, int, float]:
        """What comes first when time is left: the greater tuple."""
        look = 0 if self.timing is None else self._next_look()
        return self.role == "control", self.decides, -look, self.excess / max(self.next_cost, 1e-9)

    @property
    def next_cost(self) -> float:
        """Seconds that ``extend`` would take."""
        if self.calibration is None or self.timing is None:
            return 0.0
        return (self._next_look() - len(self.timing.replicates)) * self.calibration.replicate_s

    def record(self) -> PointRecord:
        """The evidence so far as the run document keeps it."""
        status: Status = "broken" if self.broken else "not measured" if self._has_too_little() else "measured"
        record = empty_record(self.declared, self.value, self.device, self.role, status)
        record.noise, record.seconds = self._noise.read(), round(self.seconds, 2)
        if status == "not measured":
            record.reason = f"budget: it ended after {self.seconds:.0f} s of this point"
            return record
        if self.broken:
            record.reason, record.said = str(self.broken), self.broken.said
            return record
        record.timing, record.values, record.traces = self.timing, self.values, self.traces
        record.outcomes, record.warnings, record.notes = self.outcomes, self.warnings, self.notes
        if self.timing is not None:
            self.timing.stopped = self._why_stopped()
        return record

    def _has_too_little(self) -> bool:
        """Whether the budget ended before there was anything to judge."""
        replicates = len(self.timing.replicates) if self.timing is not None else 0
        return self.out_of_time and replicates < LEAST_JUDGED

    def _pass(self, raising: list[str], deadline: float) -> None:
        readings = read_results(self._arms, min(self.declared.pair.seeds, self.profile.most_seeds), deadline)
        self.outcomes, self.warnings, self.notes = readings.outcomes, readings.warnings, readings.notes
        self.values, self.traces = readings.values, readings.traces
        if self.profile.measures:
            counters = {} if raising else read_counters(self._arms, self.profile.telemetry_s)
            self.values |= {**weigh_memory(self._arms, raising), **counters}

    def _calibrate_and_replicate(self, deadline: float) -> None:
        """From what a step and a fresh process cost to one inner count for all arms, blocks and looks.

        The processes that told it go on as the first replicate's.
        """
        begin = time.monotonic()
        with self._arms.fresh(shuffle=self._random) as arms:
            steps, firsts = {}, {}
            for name, process in arms.items():
                first = self._arms.ask(process, {"do": "first"})
                firsts[name] = first["seconds"]
                self.warnings[name] = first["warnings"]
                steps[name] = self._warm(process)
            now = time.monotonic()
            self.calibration = self._calibration(steps, now - begin, deadline - now)
            self.timing = Timing(
                inner=self.calibration.inner, cores=self._arms.cores, looks=list(self.calibration.looks)
            )
            self.timing.replicates.append(self._blocks(arms, firsts, self._server(0)))

    def _calibration(self, steps: dict[str, float], started: float, share_s: float) -> Calibration:
        profile = self.profile
        fastest, slowest = min(steps.values()), max(steps.values())
        inner = max(1, min(math.ceil(profile.sample_s / fastest), math.floor(MAX_SAMPLE_S / slowest)))
        block = inner * sum(steps.values())
        blocks = max(1, min(profile.blocks, round(seconds_of_blocks(profile, started, share_s) / block)))
        replicate = started + blocks * block
        few = not self.decides or profile.looks[0] * replicate > profile.first_look_s
        looks = profile.control_looks if self.role == "control" else profile.slow_looks if few else profile.looks
        return Calibration(inner, blocks, looks, slowest, replicate)

    def _warm(self, process: Process) -> float:
        """Seconds per step once it is steady."""
        asked = {"do": "warm", "sample_s": self.profile.sample_s, "limit_s": self.profile.warm_s}
        answer = self._arms.ask(process, asked)
        return max(float(answer["seconds"]), 1e-9)

    def _replicate_until(self, look: int, deadline: float) -> None:
        assert self.timing is not None
        assert self.calibration is not None
        while len(self.timing.replicates) < look:
            expected = self.calibration.replicate_s
            if len(self.timing.replicates) >= LEAST_REPLICATES and time.monotonic() + expected > deadline:
                return
            begin = time.monotonic()
            self.timing.replicates.append(self._replicate())
            spent = time.monotonic() - begin
            self.calibration = replace(self.calibration, replicate_s=0.7 * expected + 0.3 * spent)

    def _replicate(self) -> Replicate:
        """A fresh process for every arm, started in random order; then blocks in which they take turns."""
        assert self.timing is not None
        assert self.calibration is not None
        server = self._server(len(self.timing.replicates))
        with self._arms.fresh(shuffle=self._random, server=server or 0) as arms:
            firsts = {name: self._arms.ask(p, {"do": "first"})["seconds"] for name, p in arms.items()}
            if self.calibration.step_s < SLOW_STEP_S:
                for process in arms.values():
                    self._warm(process)
            return self._blocks(arms, firsts, server)

    def _server(self, replicate: int) -> int | None:
        """The fork server of a replicate: each its own, in turn. None where only one is kept, for its environment."""
        servers = min(self._arms.launcher.most_servers, self.profile.servers)
        return None if self.declared.pair.environment or servers == 1 else replicate % servers

    def _blocks(self, arms: dict[str, Process], firsts: dict[str, float], server: int | None) -> Replicate:
        assert self.calibration is not None
        found = Replicate(first={a: rounded(firsts[a]) for a in self.declared.pair.arms}, server=server)
        for order in self._orders(self._arms.names, self.calibration.blocks):
            self._block(arms, order, found)
        return found

    def _block(self, arms: dict[str, Process], order: list[str], found: Replicate) -> None:
        assert self.calibration is not None
        inner = self.calibration.inner
        request = {"do": "sample", "inner": inner, "discard": self.calibration.step_s < self.profile.sample_s}
        for name in order:
            answer = self._arms.ask(arms[name], request)
            found.host.setdefault(name, []).append(rounded(answer["host"]))
            found.cpu.setdefault(name, []).append(round(answer["cpu"], 2))
            if answer["device"] is not None:
                found.device.setdefault(name, []).append(rounded(answer["device"]))
            if answer["preempted"] and len(found.orders) not in found.preempted:
                found.preempted.append(len(found.orders))
        found.orders.append("".join(str(self._arms.names.index(name)) for name in order))

    def _orders(self, names: list[str], blocks: int) -> Iterator[list[str]]:
        """Random orders, balanced: every second block runs the one before it backwards."""
        order: list[str] = []
        for block in range(blocks):
            order = order[::-1] if block % 2 else self._random.sample(names, len(names))
            yield order

    def _next_look(self) -> int:
        assert self.timing is not None
        done = len(self.timing.replicates)
        return next((look for look in self.timing.looks if look > done), done)

    def _widest(self) -> Interval | None:
        """The recommended arm's interval of the time metric (or of the first timed one)."""
        assert self.timing is not None
        kinds = {"time" if m.per_step else m.kind for m in self.declared.pair.metrics if m.timed}
        kind = next(k for k in ("time", "device_time", "first_step") if k in kinds)
        if kind == "device_time" and not any(r.device for r in self.timing.replicates):
            kind = "time"
        values, _ = timed_changes(self.timing, kind, RECOMMENDED, ANTI_PATTERN)
        return interval(values) if len(values) >= 2 else None

    def _wanted(self, found: Interval) -> float:
        """The half width at which it is narrow enough."""
        zone = self.declared.pair.zone
        kept_from = None if self.promised is None else math.log(self.promised) + math.log1p(zone)
        return wanted_half_width(found, zone, kept_from)

    def _why_stopped(self) -> str:
        found = self._widest()
        if found is None or self.timing is None:
            return ""
        have = math.expm1(found.half_width) * 100
        want = math.expm1(self._wanted(found)) * 100
        sign, verdict = ("≤", "narrow enough") if have <= want else (">", "no more looks or no more time")
        count = len(self.timing.replicates)
        return f"{count} replicates: interval ±{have:.2g} % {sign} wanted ±{want:.2g} %, {verdict}"

    @contextmanager
    def _open(self) -> Iterator[None]:
        """The arms can be started while this is open; keeps the time it took, the noise, and an arm's fault."""
        begin = time.monotonic()
        self._noise.start()
        try:
            with self._arms.opened():
                try:
                    yield
                finally:
                    self._noise.stop(self._arms.cpu_seconds)
        except BrokenError as broken:
            self.broken = broken
        except OutOfTimeError:
            self.out_of_time = True
        finally:
            self.seconds += time.monotonic() - begin


def seconds_of_blocks(profile: Profile, started: float, share_s: float) -> float:
    """Seconds that a replicate's blocks take, where its processes took ``started`` to start.

    ``share_s`` are the seconds that are left for the first look, which should hold its replicates: a first look that
    takes more leaves nothing for the points that follow.
    """
    wanted = max(profile.replicate_s, BLOCKS_FOR_START * started)
    affordable = share_s / LEAST_REPLICATES - started
    return max(min(wanted, affordable), LEAST_BLOCKS_FOR_START * started)


def empty_record(
    declared: Declared, value: PointValue | None, device: str, role: Literal["pair", "control"], status: Status
) -> PointRecord:
    """A point's record without evidence: what was to be compared, and how."""
    pair = declared.pair
    point = None
    if pair.axis is not None and value is not None:
        point = Point(axis=pair.axis.name, value=value, outside=value in pair.axis.outside)
    return PointRecord(
        pair=declared.id,
        claims=list(pair.claims),
        role=role,
        device=device,
        point=point,
        status=status,
        arms=list(pair.arms),
        ladder=[*pair.ladder, RECOMMENDED] if pair.ladder else [],
        ladder_top=pair.ladder_top,
        zone=pair.zone,
        metrics=[describe(m, pair.zone) for m in pair.metrics],
        same=pair.same.describe,
    )


def describe(metric: Metric, pair_zone: float) -> MetricInfo:
    """A metric as the run document keeps it."""
    zone = pair_zone if metric.zone is None else metric.zone
    return MetricInfo(
        name=metric.name,
        kind=metric.kind,
        unit=metric.unit,
        better=metric.better,
        comparison=metric.comparison,
        zone=zone,
        exact=metric.exact,
        per_step=metric.per_step,
    )
