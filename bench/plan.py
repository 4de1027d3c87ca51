"""What a run will measure, in which order, and how a budget is shared out."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from bench import controls
from bench.claims import Claim
from bench.collect import Declared, load_pairs
from bench.needs import Here, missing
from bench.pair import Pair, PointValue
from bench.results import point_id
from bench.verdict import answers

_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
LEAST_POINT_S = 1.0
# The parts of a budget that go to a seed of an arm that is read, and to the first look at an arm that is timed, where
# the time decides a claim and where it stands beside. Seeds are not to be cut for looks that more time may follow.
SEED = 0.6
DECIDING_ARM = 3.0
ARM_BESIDE = 0.5


@dataclass(frozen=True)
class Planned:
    """One point to measure; ``blocked`` says what is missing for it here.

    ``decides`` tells whether a clock here decides a claim, or what is timed only stands beside what does; ``promised``
    is the least ratio of times that a document promises for it, where it says a number.
    """

    declared: Declared
    value: PointValue | None
    device: str
    blocked: str | None = None
    decides: bool = True
    promised: float | None = None
    role: Literal["pair", "control"] = "pair"
    turn: str = ""

    @property
    def weight(self) -> float:
        """The part of a budget that is meant for the point, beside others: nothing if it is blocked."""
        if self.blocked:
            return 0.0
        pair = self.declared.pair
        if not pair.timed:
            return SEED * pair.seeds * len(pair.arms)
        return (DECIDING_ARM if self.decides else ARM_BESIDE) * len(pair.arms)

    @property
    def id(self) -> str:
        """As it is printed and recorded."""
        axis = self.declared.pair.axis
        return point_id(self.declared.id, axis.name if axis else None, self.value) + self.turn


def points_of(declared: Declared, profile: str) -> tuple[PointValue | None, ...]:
    """The axis values that the profile measures, or the one point of a pair without an axis."""
    if profile == "quick" and declared.pair.from_profile == "full":
        return ()
    axis = declared.pair.axis
    return axis.points(profile) if axis else (None,)


def plan_point(
    declared: Declared, value: PointValue | None, device: str, here: Here, claims: Mapping[str, Claim]
) -> Planned:
    """The point on the device that the pair can use: the run's, or the CPU for a pair that is about CPUs."""
    chosen = "cpu" if declared.pair.needs.cpu else device
    blocked = missing(declared.pair.needs, chosen, here)
    clocked = clocked_claims(declared.pair, value, chosen, claims)
    promises = [p for claim in clocked if (p := claim.promise("time")) and p.high > 0]
    promised = max((p.high for p in promises), default=None)
    return Planned(declared, value, chosen, blocked, decides=bool(clocked), promised=promised)


def clocked_claims(pair: Pair[Any], value: PointValue | None, device: str, claims: Mapping[str, Claim]) -> list[Claim]:
    """The pair's claims that a time, or what is derived from it, decides at this point."""
    if pair.axis is not None and value in pair.axis.outside:
        return []
    clocked = {m.kind for m in pair.metrics if m.timed}
    return [claims[c] for c in pair.claims if claims[c].metric in clocked and answers(device, claims[c])]


def with_controls(points: Sequence[Planned], device: str) -> list[Planned]:
    """The controls before, amid and after what is timed, since a machine can be quiet at noon and loud at one.

    What needs no clock comes first: it is quick, and a budget that runs short should not cost it.
    """
    same, planted = load_pairs(Path(controls.__file__))
    untimed = [p for p in points if not p.declared.pair.timed]
    timed = [p for p in points if p.declared.pair.timed]
    middle = len(timed) // 2

    def control(declared: Declared, turn: str) -> Planned:
        return Planned(declared, None, device, role="control", turn=turn)

    return [
        *untimed,
        control(same, ":before"),
        control(planted, ":before"),
        *timed[:middle],
        control(same, ":amid"),
        *timed[middle:],
        control(same, ":after"),
        control(planted, ":after"),
    ]


def parse_budget(text: str) -> float:
    """Seconds from ``8m``, ``90s``, ``1.5h`` or ``90``. Raises ValueError that says how to write one."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text.strip())
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0.0
    if seconds <= 0:
        raise ValueError(f"{text!r} is no budget; write it like 90s, 8m or 1.5h")
    return seconds


@dataclass
class Budget:
    """Shares out the time that is left: every point its minimum first.

    ``reserve`` is kept back for the controls that are still to come, without which nothing else counts.
    """

    seconds: float | None
    begin: float
    reserve: float = 0.0

    @classmethod
    def starting_now(cls, seconds: float | None) -> Budget:
        """A budget of ``seconds``, or one without end."""
        return cls(seconds, time.monotonic())

    @property
    def left(self) -> float:
        """Seconds that remain."""
        if self.seconds is None:
            return float("inf")
        return self.seconds - (time.monotonic() - self.begin)

    @property
    def ends_at(self) -> float:
        """The monotonic time at which a pair has to leave off."""
        return time.monotonic() + self.left - self.reserve

    def share(self, weight: float, weight_left: float) -> float:
        """The monotonic time by which the next point's first look should end: its part of what is left for all.

        What a point does not use is left to those that follow, and in the end to the widest intervals.
        """
        able = max(0.0, self.left - self.reserve)
        return time.monotonic() + able * min(1.0, weight / weight_left if weight_left > 0 else 1.0)

    def refuses(self, points_left: int) -> str | None:
        """Why the next pair is not begun, if the budget is used up."""
        able = self.left - self.reserve
        if able >= LEAST_POINT_S:
            return None
        return f"budget: {max(0.0, able):.0f} s left of {self.seconds:.0f} s, {points_left} points not measured"
