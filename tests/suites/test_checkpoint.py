import pickle
from pathlib import Path

import pytest

from suites.checkpoint import full_checkpoint, state_dict
from suites.workloads.moving import OLD_HOME
from tests.suites.points import build, metrics


def test_a_pickled_module_needs_its_class_where_it_was(tmp_path: Path) -> None:
    with pytest.raises(ModuleNotFoundError, match=OLD_HOME):
        build(state_dict.PAIR, tmp_path, "moved", "anti_pattern")()
    assert build(state_dict.PAIR, tmp_path, "moved", "recommended")().shape == (4, 8)


# Both files hold the same tensors, so the outputs are the same, bit for bit.
def test_a_class_that_stayed_loads_either_way(tmp_path: Path) -> None:
    outputs = [build(state_dict.PAIR, tmp_path, "stayed", arm)() for arm in ("anti_pattern", "recommended")]
    assert outputs[0].equal(outputs[1])


def test_todays_default_refuses_a_module_and_loads_a_state_dict(tmp_path: Path) -> None:
    with pytest.raises(pickle.UnpicklingError, match="Weights only load failed"):
        build(state_dict.PAIR, tmp_path, "todays-default", "anti_pattern")()
    assert build(state_dict.PAIR, tmp_path, "todays-default", "recommended")().shape == (4, 8)


# Everything the update depends on is restored, so the same additions are made in the same order: the error is 0.
@pytest.mark.parametrize("recipe", ["momentum", "adam"])
def test_a_full_checkpoint_resumes_bit_for_bit(tmp_path: Path, recipe: str) -> None:
    pytest.importorskip("sklearn")
    found = metrics(full_checkpoint.PAIR, tmp_path, recipe)
    assert found["weight error"]["anti_pattern"] > 0
    assert found["weight error"]["recommended"] == 0
    assert found["loss jump"]["recommended"] == 0


def test_plain_sgd_has_nothing_but_its_weights(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    found = metrics(full_checkpoint.PAIR, tmp_path, "plain-sgd")
    assert set(found["weight error"].values()) == {0}


def test_dropout_needs_the_random_state_too(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    errors = metrics(full_checkpoint.PAIR, tmp_path, "adam-dropout")["weight error"]
    assert errors["recommended"] > 0
    assert errors["everything_and_random_state"] == 0
