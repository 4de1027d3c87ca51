from pathlib import Path

import pytest
import torch

from bench import Setup
from suites.workloads.practices import Options, training
from suites.workloads.text import Padded, lines
from suites.workloads.texts import PACKAGES

for package in PACKAGES:
    pytest.importorskip(package)


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    return Setup(torch.device("cpu"), tmp_path, smoke=True)


# Lines of 1, 3 | 2 words in batches of two, where the longest of all texts has 5.
def test_lines_are_padded_to_the_longest_of_all_or_of_the_batch() -> None:
    samples = [(torch.ones(n, dtype=torch.long), torch.tensor(n)) for n in (1, 3, 2)]
    of_all, of_the_batch = (
        [x.shape for x, _ in Padded(samples, Options(padded_to_batch=padded), batch=2, longest=5)]
        for padded in (False, True)
    )
    assert of_all == [(2, 5), (1, 5)]
    assert of_the_batch == [(2, 3), (1, 2)]


def test_padding_leaves_the_losses_alone(setup: Setup) -> None:
    w = lines(setup)
    tight, wide = training(w, Options(padded_to_batch=True)), training(w, Options())
    for _ in range(2):
        torch.testing.assert_close(tight(), wide(), rtol=1e-4, atol=1e-5)


def test_training_learns(setup: Setup) -> None:
    step = training(lines(setup), Options(padded_to_batch=True))
    first, *_, last = [float(step().mean()) for _ in range(60)]
    assert last < 0.7 * first
