import json
from pathlib import Path

import pytest

from suites.monitoring import experiment_logging, gradient_monitoring, profiler_schedule
from suites.workloads.watched import BATCHES
from tests.suites.points import build, metrics, results


# Nine linear layers have 18 parameters. Twenty steps are 360 readings one by one, and two looks of one reading each.
def test_each_way_to_watch_reads_so_often(tmp_path: Path) -> None:
    assert metrics(gradient_monitoring.PAIR, tmp_path, 4)["readings"] == {
        "anti_pattern": 360,
        "recommended": 2,
        "every_step_fused": 20,
        "every_tenth_step_one_by_one": 36,
        "not_watched": 0,
    }


def test_fused_norms_are_those_taken_one_by_one(tmp_path: Path) -> None:
    found = results(gradient_monitoring.PAIR, tmp_path, 4)
    one_by_one, fused = found["anti_pattern"]["norms"], found["recommended"]["norms"]
    assert fused[0] == pytest.approx(one_by_one[0], rel=1e-5)
    assert fused[1] == pytest.approx(one_by_one[10], rel=1e-5)
    assert min(one_by_one[0]) > 0


def recorded_steps(folder: Path) -> list[int]:
    """For each trace, oldest first, how many of the training's steps are in it, by their losses."""
    traces = [json.loads(path.read_text())["traceEvents"] for path in sorted(folder.iterdir())]
    return [sum(e["name"] == "aten::cross_entropy_loss" for e in t) for t in traces]


# wait 1, warm up 1, record 3: once, or in each of the four cycles that twenty steps are.
@pytest.mark.filterwarnings("ignore:Warning. Profiler clears events")
@pytest.mark.parametrize(
    ("arm", "steps"), [("anti_pattern", [BATCHES]), ("recommended", [3]), ("window_that_repeats", [3] * 4)]
)
def test_each_schedule_records_so_many_steps(tmp_path: Path, arm: str, steps: list[int]) -> None:
    build(profiler_schedule.PAIR, tmp_path, 4, arm)()
    assert recorded_steps(tmp_path / arm) == steps


# Two scalars a step: 40 for twenty steps, 4 at every tenth; beside them the file's version and nothing else.
@pytest.mark.parametrize(
    ("arm", "scalars"), [("anti_pattern", 40), ("recommended", 4), ("all_of_them_ten_at_a_time", 40)]
)
def test_each_way_to_log_writes_so_many_scalars(tmp_path: Path, arm: str, scalars: int) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_file_loader import EventFileLoader

    build(experiment_logging.PAIR, tmp_path, 4, arm)()
    (path,) = (tmp_path / arm).iterdir()
    steps = [(v.tag, e.step) for e in EventFileLoader(str(path)).Load() for v in e.summary.value]
    assert len(steps) == len(set(steps)) == scalars
