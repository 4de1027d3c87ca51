import pickle
from pathlib import Path

import pytest

from suites.checkpoint import state_dict
from suites.workloads.moving import OLD_HOME
from tests.suites.points import build


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
