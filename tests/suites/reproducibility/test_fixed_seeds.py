from pathlib import Path

import pytest
import torch

from bench.fake import run_fake
from suites.reproducibility import fixed_seeds
from suites.workloads.scattering import deterministic_algorithms
from suites.workloads.seeded import share_repeated
from tests.fakes import needs_fake_cuda
from tests.suites.points import all_points, metrics, results

REPEATED = "runs that repeat the first"


def test_the_share_leaves_the_first_run_out() -> None:
    a, b = torch.zeros(2), torch.ones(2)
    assert share_repeated([a, a, b]) == 0.5


# The process itself loads, so each generator that a run draws from needs a seed: torch's is one of three.
def test_without_workers_every_generator_needs_its_seed(tmp_path: Path) -> None:
    assert metrics(fixed_seeds.PAIR, tmp_path, "workers-0")[REPEATED] == {
        "anti_pattern": 0,
        "recommended": 1,
        "as_the_field_guide": 1,
        "torch_alone": 0,
        "all_but_torch": 0,
    }


# DataLoader draws its workers' seeds, for Python and NumPy too, from torch's generator.
def test_workers_take_all_their_seeds_from_torch(tmp_path: Path) -> None:
    assert metrics(fixed_seeds.PAIR, tmp_path, "workers-2")[REPEATED] == {
        "anti_pattern": 0,
        "recommended": 1,
        "as_the_field_guide": 1,
        "torch_alone": 1,
        "all_but_torch": 0,
    }


@pytest.mark.parametrize("case", ["own-generator", "order-of-a-set"])
def test_what_no_global_seed_reaches(tmp_path: Path, case: str) -> None:
    assert set(metrics(fixed_seeds.PAIR, tmp_path, case)[REPEATED].values()) == {0}


# On a CPU with one thread nothing is added in another order, so seeds are enough either way.
@pytest.mark.parametrize("kernel", all_points(fixed_seeds.ON_CUDA))
def test_the_cuda_pair_repeats_itself_on_cpu_tensors(tmp_path: Path, kernel: str) -> None:
    found = results(fixed_seeds.ON_CUDA, tmp_path, kernel)
    assert [share_repeated(runs) for runs in found.values()] == [1, 1]


@pytest.mark.parametrize("kernel", all_points(fixed_seeds.ON_CUDA))
@needs_fake_cuda
def test_the_cuda_pair_runs_on_fake_cuda_tensors(kernel: str) -> None:
    run_fake(fixed_seeds.ON_CUDA, kernel)


def test_deterministic_algorithms_are_left_as_they_were() -> None:
    with deterministic_algorithms(True):
        assert torch.are_deterministic_algorithms_enabled()
    assert not torch.are_deterministic_algorithms_enabled()
