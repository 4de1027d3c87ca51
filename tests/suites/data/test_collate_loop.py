from pathlib import Path

import pytest
import torch

from suites.data import collate_loop
from tests.suites.points import all_points, results


@pytest.mark.parametrize("case", all_points(collate_loop.PAIR))
def test_both_make_the_same_batches(tmp_path: Path, case: str) -> None:
    batches = results(collate_loop.PAIR, tmp_path, case)["recommended"]
    assert [labels.tolist() for _, labels in batches] == [[0, 1]] * collate_loop.BATCHES


def test_short_sequences_are_filled_up_with_zeros() -> None:
    padded = collate_loop.fill_in_a_loop([torch.tensor([5]), torch.tensor([6, 7])])
    assert padded.tolist() == [[5, 0], [6, 7]]
