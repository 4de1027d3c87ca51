from pathlib import Path

import pytest
import torch

from suites.data import collate_variable_length
from suites.workloads.padding import pad_to_largest
from tests.suites.points import build, results

PAIR = collate_variable_length.PAIR


@pytest.mark.parametrize("case", ["tensors", "lists", "images"])
def test_the_default_fails_where_shapes_differ(tmp_path: Path, case: str) -> None:
    with pytest.raises(RuntimeError, match="equal size"):
        build(PAIR, tmp_path, case, "anti_pattern")()
    batches = build(PAIR, tmp_path, case, "recommended")()
    assert [len(batch) for batch in batches] == [4, 4]


@pytest.mark.parametrize("case", ["equal-lengths", "single-samples", "strings"])
def test_the_default_does_as_well_where_nothing_differs(tmp_path: Path, case: str) -> None:
    results(PAIR, tmp_path, case)


# A 1 x 2 and a 2 x 1 sample both lie in the corner of a 2 x 2 row.
def test_samples_are_padded_in_every_dimension() -> None:
    padded = pad_to_largest([torch.tensor([[1, 2]]), torch.tensor([[3], [4]])])
    assert padded.tolist() == [[[1, 2], [0, 0]], [[3, 0], [4, 0]]]
