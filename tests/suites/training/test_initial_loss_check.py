from pathlib import Path

import pytest

from bench.pair import Setup
from suites.training import initial_loss_check
from suites.workloads.initialised import GUESS, beginning, distance_from_a_guess, steps_to_target
from tests.suites.points import CPU, metrics

pytest.importorskip("sklearn")

ERROR = "initial loss error"


def test_the_distance_is_relative_to_a_guess() -> None:
    assert distance_from_a_guess(GUESS) == 0
    assert distance_from_a_guess(3 * GUESS) == pytest.approx(2)


# Logits that spread by 0.1 cost about 0.1 ** 2 / 2 = 0.005 more than a guess, plus what the few labels happen to be.
@pytest.mark.parametrize("case", ["unit-normal", "raw-pixels"])
def test_the_check_brings_wild_logits_back_to_a_guess(tmp_path: Path, case: str) -> None:
    errors = metrics(initial_loss_check.PAIR, tmp_path, case)[ERROR]
    assert errors["anti_pattern"] > 1
    assert errors["recommended"] < 0.02


def test_pytorchs_own_layers_need_no_mending(tmp_path: Path) -> None:
    for values in metrics(initial_loss_check.PAIR, tmp_path, "torch-default").values():
        assert values["anti_pattern"] == values["recommended"]


# Equal logits cost ln(10) exactly; without weights no gradient passes, so only the head's bias learns.
def test_all_zero_weights_pass_the_check_and_never_train(tmp_path: Path) -> None:
    errors = metrics(initial_loss_check.PAIR, tmp_path, "all-zero")[ERROR]
    assert errors == pytest.approx({"anti_pattern": 0, "recommended": 0}, abs=1e-6)
    zero = beginning(Setup(CPU, tmp_path, value="all-zero"))
    assert steps_to_target(zero, zero.model) == zero.steps
