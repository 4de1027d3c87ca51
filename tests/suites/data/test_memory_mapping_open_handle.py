from pathlib import Path

import pytest

from suites.data import memory_mapping_open_handle
from tests.suites.points import build, metrics

pytest.importorskip("h5py")
PAIR = memory_mapping_open_handle.PAIR


def test_an_open_handle_survives_a_fork(tmp_path: Path) -> None:
    assert set(metrics(PAIR, tmp_path, "forked")["rows read wrong"].values()) == {0}


def test_an_open_handle_cannot_be_pickled(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="cannot be pickled"):
        build(PAIR, tmp_path, "pickled", "anti_pattern")()
    assert build(PAIR, tmp_path, "pickled", "recommended")() == 0
