import math
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.nn import functional as F

from bench.pair import Setup
from suites.training import overfit_one_batch
from suites.workloads.buggy import BUGS, NEAR_ZERO, SOUND
from tests.suites.points import CPU

pytest.importorskip("sklearn")


@cache
def outcome_of(place: str) -> Any:
    return overfit_one_batch.overfit_first(overfit_one_batch.programs(Setup(CPU, Path(), value=place)))()


def caught(place: str) -> set[str]:
    return {bug for bug, yes in outcome_of(place)["caught"].items() if yes}


# A probability of 1 for the right class is the most that softmax can hand on as a logit: ln(e + 9) - 1 = 1.46.
def test_softmax_before_the_loss_leaves_a_floor() -> None:
    best = F.one_hot(torch.tensor([3]), 10).float()
    floor = float(F.cross_entropy(best, torch.tensor([3])))
    assert floor == pytest.approx(math.log(math.e + 9) - 1)
    assert floor > NEAR_ZERO


def test_what_eight_samples_learnt_by_heart_cannot_show() -> None:
    assert not {"no-nonlinearity", "batch-norm-in-eval", "samples-mixed"} & caught("model")
    learnt_by_heart = {"labels-shuffled-once", "labels-off-by-one", "test-digits-in-training"}
    assert not learnt_by_heart & caught("data")


def test_what_stops_learning_is_caught() -> None:
    assert caught("model") >= {"softmax-before-loss", "all-zero-weights", "detached-trunk"}
    assert caught("loop") >= {"no-step", "zero-grad-after-backward", "clipped-to-nothing"}
    assert caught("data") >= {"labels-shuffled-each-time", "one-image-for-all", "augmentation-erases"}


# The head alone, on what an untrained trunk makes of eight samples, has 64 weights a class: enough, given time.
def test_patience_lets_half_a_network_pass() -> None:
    assert caught("model") - caught("model-patient") == {"detached-trunk"}


# With 0.1 of label smoothing over ten classes the loss cannot go below the entropy of (0.91, 9 times 0.01): 0.50.
def test_label_smoothing_is_accused_and_the_plain_program_is_not() -> None:
    assert -(0.91 * math.log(0.91) + 9 * 0.01 * math.log(0.01)) == pytest.approx(0.50, abs=0.005)
    accused = outcome_of("model")["accused"]
    assert accused.keys() == set(SOUND)
    assert accused["label-smoothing"]
    assert not accused["plain"]


def test_a_test_that_is_skipped_finds_nothing_and_costs_nothing() -> None:
    found = overfit_one_batch.skip_the_test(overfit_one_batch.programs(Setup(CPU, Path(), value="loop")))()
    assert found["caught"] == dict.fromkeys(BUGS["loop"], False)
    assert [metric.read(found) for metric in overfit_one_batch.PAIR.metrics] == [0, 0, 0]
