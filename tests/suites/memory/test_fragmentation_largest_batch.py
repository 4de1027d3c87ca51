from pathlib import Path

import pytest
import torch

from bench.pair import Setup
from suites.workloads.limited_training import largest_within_the_limit, training
from suites.workloads.varying_lengths import Texts


# The search tries 1 and 3 rows, as many as a tiny run has.
@pytest.mark.parametrize(("room", "largest"), [(2, 1), (3, 3), (0, 0)])
def test_the_search_ends_at_the_first_batch_that_does_not_fit(tmp_path: Path, room: int, largest: int) -> None:
    def once(texts: Texts) -> dict[str, object]:
        if len(texts.batches[0][0]) > room:
            raise torch.OutOfMemoryError
        return {}

    setup = Setup(torch.device("cpu"), tmp_path, smoke=True, value="spare-10")
    assert largest_within_the_limit(training(setup), once)() == largest
