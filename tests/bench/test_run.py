from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bench import run as run_module
from bench.collect import load_pairs
from bench.launch import Launcher
from bench.measure import Calibration, Measurement, empty_record
from bench.plan import Budget, Planned, with_controls
from bench.profiles import QUICK
from bench.results import PointRecord, Replicate, Timing
from bench.run import Runner, new_run
from tests.bench.conftest import HEADER

PAIRS = """
BESIDE = pair(work, name="beside")
DECIDES = pair(work, name="decides")
"""


@dataclass
class Measured:
    """What the runner did, in place of measuring: each point's deadline, and the points narrowed."""

    deadlines: dict[str, float] = field(default_factory=dict)
    narrowed: list[str] = field(default_factory=list)


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> Measured:
    found = Measured()

    class Stub(Measurement):
        """Too wide after its first look, and narrow enough after one more."""

        @property
        def excess(self) -> float:
            return 0.0 if self.declared.id in found.narrowed else 2.0

        @property
        def next_cost(self) -> float:
            return 1.0

        def begin(self, deadline: float, ends_at: float = math.inf) -> None:
            found.deadlines[self.declared.id] = deadline

        def extend(self, deadline: float) -> None:
            found.narrowed.append(self.declared.id)

        def record(self) -> PointRecord:
            return empty_record(self.declared, self.value, self.device, self.role, "measured")

    monkeypatch.setattr(run_module, "Measurement", Stub)
    return found


@pytest.fixture
def _carried_out(measured: Measured, tmp_path: Path) -> None:
    (tmp_path / "topic").mkdir()
    (file := tmp_path / "topic" / "pairs.py").write_text(HEADER + PAIRS)
    points = [Planned(d, None, "cpu", decides=d.id == "topic/decides") for d in load_pairs(file)]
    run = new_run("quick", 0, "cpu", 1000.0, False, [])
    runner = Runner(run, tmp_path / "run.json", Budget.starting_now(1000.0), lambda *_: None)
    runner.carry_out(with_controls(points, "cpu"))


@pytest.mark.usefixtures("_carried_out")
def test_a_control_takes_its_first_look_whole_and_a_pair_its_share(measured: Measured) -> None:
    assert {name for name, deadline in measured.deadlines.items() if deadline == math.inf} == {
        "bench/same-work",
        "bench/planted-5-percent",
    }
    assert {"topic/beside", "topic/decides"} <= measured.deadlines.keys()


@pytest.mark.usefixtures("_carried_out")
def test_what_is_left_goes_to_controls_then_to_what_decides(measured: Measured) -> None:
    controls = [name for name in measured.narrowed if name.startswith("bench/")]
    assert measured.narrowed == [*controls, "topic/decides", "topic/beside"]
    assert set(controls) == {"bench/same-work", "bench/planted-5-percent"}


def test_all_that_are_too_wide_get_a_look_before_one_gets_the_next(tmp_path: Path) -> None:
    (tmp_path / "topic").mkdir()
    (file := tmp_path / "topic" / "pairs.py").write_text(HEADER + PAIRS)

    def looked_at(replicates: int, spread: float = 0.03, replicate_s: float = 1.0) -> Measurement:
        found = Measurement(load_pairs(file)[0], None, "cpu", QUICK, 0, launcher)
        found.calibration = Calibration(1, 1, QUICK.looks, 0.01, replicate_s)
        hosts = [{"anti_pattern": [1.0], "recommended": [1 + spread * (-1) ** i]} for i in range(replicates)]
        seen = [Replicate(first=dict.fromkeys(host, 1.0), host=host) for host in hosts]
        found.timing = Timing(inner=1, looks=list(QUICK.looks), replicates=seen)
        return found

    with Launcher() as launcher:
        after_one, wider = looked_at(6), looked_at(6, spread=0.06)
        slow = looked_at(4, replicate_s=60.0)
        dear = looked_at(6, replicate_s=60.0)
    order = sorted([after_one, wider, slow, dear], key=lambda m: m.urgency, reverse=True)
    assert [order.index(m) for m in (slow, wider, after_one, dear)] == [0, 1, 2, 3]


def test_a_budget_that_is_used_up_costs_only_what_could_be_measured(tmp_path: Path) -> None:
    (tmp_path / "topic").mkdir()
    (file := tmp_path / "topic" / "pairs.py").write_text(HEADER + PAIRS)
    beside, decides = load_pairs(file)
    planned = [Planned(beside, None, "cpu"), Planned(decides, None, "cuda", blocked="needs CUDA")]
    run = new_run("quick", 0, "cpu", 0.5, False, [])
    Runner(run, tmp_path / "run.json", Budget.starting_now(0.5), lambda *_: None).carry_out(planned)
    reasons = {point.pair: point.reason for point in run.points}
    assert reasons["topic/decides"] == "needs CUDA"
    assert str(reasons["topic/beside"]).endswith("1 points not measured")
