from pathlib import Path

import pytest
import torch

from suites.reproducibility.fixed_seeds import PAIR
from suites.workloads.seeded import share_repeated
from tests.suites.points import metrics

REPEATED = "runs that repeat the first"


def test_the_share_leaves_the_first_run_out() -> None:
    a, b = torch.zeros(2), torch.ones(2)
    assert share_repeated([a, a, b]) == 0.5


# The process itself loads, so each generator that a run draws from needs a seed: torch's is one of three.
def test_without_workers_every_generator_needs_its_seed(tmp_path: Path) -> None:
    assert metrics(PAIR, tmp_path, "workers-0")[REPEATED] == {
        "anti_pattern": 0,
        "recommended": 1,
        "as_the_field_guide": 1,
        "torch_alone": 0,
        "all_but_torch": 0,
    }


# DataLoader draws its workers' seeds, for Python and NumPy too, from torch's generator.
def test_workers_take_all_their_seeds_from_torch(tmp_path: Path) -> None:
    assert metrics(PAIR, tmp_path, "workers-2")[REPEATED] == {
        "anti_pattern": 0,
        "recommended": 1,
        "as_the_field_guide": 1,
        "torch_alone": 1,
        "all_but_torch": 0,
    }


@pytest.mark.parametrize("case", ["own-generator", "order-of-a-set"])
def test_what_no_global_seed_reaches(tmp_path: Path, case: str) -> None:
    assert set(metrics(PAIR, tmp_path, case)[REPEATED].values()) == {0}
