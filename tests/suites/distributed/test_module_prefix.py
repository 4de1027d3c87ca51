from pathlib import Path

import pytest

from suites.distributed.module_prefix import PAIR
from tests.suites.points import metrics


# Every key of the wrapper's state_dict begins with its prefix, so none of the bare model's six tensors is found.
@pytest.mark.parametrize("wrapper", ["data-parallel", "distributed", "compiled"])
def test_nothing_of_a_wrappers_weights_arrives(tmp_path: Path, wrapper: str) -> None:
    found = metrics(PAIR, tmp_path, wrapper)
    assert found["tensors loaded"] == {"anti_pattern": 0.0, "recommended": 1.0, "prefix_taken_away": 1.0}
    assert found["output error"]["anti_pattern"] > 0.1
    assert found["output error"]["recommended"] == found["output error"]["prefix_taken_away"] == 0.0
