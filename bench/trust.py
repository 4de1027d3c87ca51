"""How far the method can be trusted: identical and planted extra work, measured by us and by two peers in one run."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np

from bench import controls, peers
from bench.collect import Declared, load_pairs
from bench.launch import Launcher
from bench.measure import Measurement
from bench.pair import RECOMMENDED, PointValue
from bench.power import ZONE
from bench.profiles import QUICK
from bench.stats import Interval
from bench.verdict import judge_point

OURS = "ours"
SECONDS = 3.0
# As the controls of a run, whatever is compared.
LOOKS = replace(QUICK, looks=QUICK.control_looks)


@dataclass
class Tally:
    """What one tool said of all comparisons so far."""

    identical: list[Interval] = field(default_factory=list)
    planted: list[Interval] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def summary(self) -> Summary:
        """The figures of the report; the same rule for every tool: an interval wholly beyond ±2 % is a difference."""
        return Summary(
            n=len(self.identical),
            false_alarms=sum(i.low > ZONE or i.high < -ZONE for i in self.identical),
            p95_abs_log_ratio=float(np.quantile([abs(i.estimate) for i in self.identical], 0.95)),
            planted_found=sum(i.low > ZONE for i in self.planted),
            seconds_per_comparison=float(np.mean(self.seconds)),
        )


@dataclass(frozen=True)
class Summary:
    """``planted_found`` is out of ``n``; ``p95_abs_log_ratio`` is of the estimates on identical work."""

    n: int
    false_alarms: int
    p95_abs_log_ratio: float
    planted_found: int
    seconds_per_comparison: float


def compare_tools(comparisons: int, tell: Callable[[str], None]) -> dict[str, Summary]:
    """Measure identical work and +5 % ``comparisons`` times each; the tools take turns, so that noise hits all."""
    declared = {d.pair.name: d for d in load_pairs(Path(controls.__file__))}
    tallies = {tool: Tally() for tool in (OURS, *peers.PEERS)}
    with Launcher() as launcher:
        for i in range(comparisons):
            for tool, name in _turns():
                begin = time.monotonic()
                found = first_look(declared[name], None, i, launcher) if tool == OURS else _theirs(tool, name, i)
                tallies[tool].seconds.append(time.monotonic() - begin)
                kept = tallies[tool].identical if name == controls.SAME_WORK.name else tallies[tool].planted
                kept.append(found)
            tell(f"{i + 1} of {comparisons}")
    return {tool: tally.summary() for tool, tally in tallies.items()}


def _turns() -> Iterator[tuple[str, str]]:
    for name in (str(controls.SAME_WORK.name), str(controls.PLANTED.name)):
        for tool in (OURS, *peers.PEERS):
            yield tool, name


def first_look(declared: Declared, value: PointValue | None, seed: int, launcher: Launcher) -> Interval:
    """Our log ratio of time at the first look and no further, so that every comparison costs the same.

    Raises RuntimeError for a pair that has none.
    """
    measurement = Measurement(declared, value, "cpu", LOOKS, seed, launcher)
    measurement.begin(math.inf)
    record = measurement.record()
    judged = next((j for j in judge_point(record) if j.arm == RECOMMENDED and j.metric.kind == "time"), None)
    if judged is None or judged.change is None:
        raise RuntimeError(f"{record.id} came out {record.status}: {record.reason}")
    return judged.change


def _theirs(tool: str, name: str, seed: int) -> Interval:
    return peers.log_ratio_of_medians(peers.measure(tool, name, SECONDS), seed)


def to_json(summaries: dict[str, Summary]) -> str:
    """The figures by tool."""
    return json.dumps({tool: asdict(s) for tool, s in summaries.items()}, indent=2)


def to_text(summaries: dict[str, Summary]) -> str:
    """The figures as a table, and the targets beside what was reached."""
    lines = [f"{'':24}{'n':>5}{'false alarms':>15}{'p95 |ratio-1|':>16}{'+5 % found':>13}{'s each':>9}"]
    for tool, s in summaries.items():
        p95 = f"{math.expm1(s.p95_abs_log_ratio) * 100:.2f} %"
        lines.append(
            f"{tool:24}{s.n:>5}{s.false_alarms:>15}{p95:>16}{s.planted_found:>13}{s.seconds_per_comparison:>9.1f}"
        )
    ours = summaries[OURS]
    for tool in (t for t in summaries if t != OURS):
        times = summaries[tool].p95_abs_log_ratio / ours.p95_abs_log_ratio
        lines.append(f"resolution: {times:.1f} times finer than {tool} (wanted: 5)")
    alarms, found = ours.false_alarms / ours.n * 100, ours.planted_found / ours.n * 100
    lines.append(f"identical work called different: {alarms:.1f} % (wanted: at most 1 %)")
    lines.append(f"planted +5 % found: {found:.1f} % (wanted: at least 95 %)")
    return "\n".join(lines)
