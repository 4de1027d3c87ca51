"""The learning-rate strategies that lr-schedule-helps and lr-strategy-table train with."""

import math
from pathlib import Path

import pytest
import torch

from bench.pair import Setup
from suites.training import lr_schedule_helps, lr_strategy_table
from suites.workloads.schedules import RATES, TUNING_SEEDS, Curve, scheduler_of, summary, trained, tuned_rate
from suites.workloads.situations import task
from tests.suites.points import CPU, metrics

pytest.importorskip("sklearn")


def rates_per_epoch(strategy: str, epochs: int) -> list[float]:
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    scheduler = scheduler_of(strategy, optimizer, 1.0, epochs, batches=1)
    found = []
    for _ in range(epochs):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return found


# StepLR multiplies by 0.1 at each third; the cosine is (1 + cos(pi t / T)) / 2, with restarts T is a third.
def test_each_strategy_takes_its_curve() -> None:
    assert rates_per_epoch("constant", 6) == [1] * 6
    assert rates_per_epoch("step", 6) == pytest.approx([1, 1, 0.1, 0.1, 0.01, 0.01])
    assert rates_per_epoch("cosine", 6) == pytest.approx([(1 + math.cos(math.pi * t / 6)) / 2 for t in range(6)])
    assert rates_per_epoch("warm-restarts", 6) == pytest.approx([1, 0.5] * 3)
    assert rates_per_epoch("one-cycle", 6)[0] == pytest.approx(1 / 25)


def test_the_summary_is_of_the_last_look_and_the_first_that_reached_the_target() -> None:
    curve = Curve([10, 20, 30], [0.5, 0.9, 0.8], [3.0, 2.0, 1.0])
    looks = ([10, 20, 30], [0.5, 0.9, 0.8])
    wanted = {"accuracy": 0.8, "answers": 5, "loss": 1.0, "spread": 0.0, "steps": 20, "curve": looks}
    assert summary(curve, target=0.9, answers=5) == wanted
    assert summary(curve, target=0.95, answers=5)["steps"] == 30


def test_the_tuned_rate_has_the_fewest_validation_digits_wrong(tmp_path: Path) -> None:
    others = [task(Setup(CPU, tmp_path, seed=seed, smoke=True), "basic-model") for seed in TUNING_SEEDS]
    reached = {r: sum(trained(t, "cosine", r, t.validation).accuracies[-1] for t in others) for r in RATES}
    assert reached[tuned_rate(others[0], "cosine")] == pytest.approx(max(reached.values()))


# Few to fit, and only classes that the trunk has not seen.
def test_fine_tuning_has_few_images_of_classes_that_the_model_has_not_seen(tmp_path: Path) -> None:
    t = task(Setup(CPU, tmp_path, smoke=True), "fine-tuning")
    assert len(t.fit[0]) == 45
    for _, labels in (t.fit, t.validation, t.test):
        assert labels.unique().tolist() == [5, 6, 7, 8, 9]


@pytest.mark.parametrize("situation", lr_strategy_table.TABLE)
def test_the_recommended_arm_is_the_tables_row(tmp_path: Path, situation: str) -> None:
    row = {"step": "step_lr", "cosine": "cosine_annealing", "one-cycle": "one_cycle", "plateau": "reduce_on_plateau"}
    for values in metrics(lr_strategy_table.PAIR, tmp_path, situation).values():
        assert values["recommended"] == values[row[lr_strategy_table.TABLE[situation]]]


@pytest.mark.parametrize("rate", lr_schedule_helps.FACTORS)
def test_every_arm_is_trained_and_judged(tmp_path: Path, rate: str) -> None:
    found = metrics(lr_schedule_helps.PAIR, tmp_path, rate)
    assert all(0 < a <= 1 for a in found["accuracy"].values())
    assert found["loss"]["recommended"] != found["loss"]["anti_pattern"]
