from pathlib import Path

import pytest
import torch

from bench.fake import run_fake
from suites.reproducibility.fixed_seeds_deterministic import PAIR
from suites.workloads.scattering import deterministic_algorithms
from suites.workloads.seeded import share_repeated
from tests.fakes import needs_fake_cuda
from tests.suites.points import all_points, results


# On a CPU with one thread nothing is added in another order, so seeds are enough either way.
@pytest.mark.parametrize("kernel", all_points(PAIR))
def test_the_cuda_pair_repeats_itself_on_cpu_tensors(tmp_path: Path, kernel: str) -> None:
    found = results(PAIR, tmp_path, kernel)
    assert [share_repeated(runs) for runs in found.values()] == [1, 1]


@pytest.mark.parametrize("kernel", all_points(PAIR))
@needs_fake_cuda
def test_the_cuda_pair_runs_on_fake_cuda_tensors(kernel: str) -> None:
    run_fake(PAIR, kernel)


def test_deterministic_algorithms_are_left_as_they_were() -> None:
    with deterministic_algorithms(True):
        assert torch.are_deterministic_algorithms_enabled()
    assert not torch.are_deterministic_algorithms_enabled()
