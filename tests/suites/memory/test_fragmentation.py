from pathlib import Path

import pytest

from suites.memory.fragmentation import PAIR
from tests.suites.points import metrics


# Two rows each of 16, 11 and 6 tokens are 66 tokens, padded to 16 they are 96.
@pytest.mark.parametrize(("limit", "tokens"), [("spare-10", 66), ("static-spare-10", 96)])
def test_fixed_shapes_cost_the_padding(tmp_path: Path, limit: str, tokens: int) -> None:
    found = metrics(PAIR, tmp_path, limit)["tokens computed"]
    assert found == {
        "anti_pattern": tokens,
        "recommended": 96,
        "expandable_segments": tokens,
        "longest_length_first": tokens,
    }
