"""Every pair that needs CUDA: its arms agree on CPU tensors here, and run on fake CUDA tensors."""

from pathlib import Path

import pytest

from bench.collect import Declared, load_pairs, practice_files
from bench.fake import run_fake
from bench.pair import PointValue
from bench.plan import points_of
from bench.results import point_id
from tests.fakes import needs_fake_cuda
from tests.suites.points import results

NEEDING_CUDA = [d for file in practice_files() for d in load_pairs(file) if d.pair.needs.cuda and not d.pair.needs.gpus]
POINTS = [(d, value) for d in NEEDING_CUDA for value in points_of(d, "full")]
IDS = [point_id(d.id, "at" if value is not None else None, value) for d, value in POINTS]


@pytest.mark.parametrize(("declared", "value"), POINTS, ids=IDS)
def test_arms_agree_on_cpu_tensors(tmp_path: Path, declared: Declared, value: PointValue | None) -> None:
    results(declared.pair, tmp_path, value)


@pytest.mark.filterwarnings("ignore:Accessing the data pointer of FakeTensor")
@pytest.mark.parametrize(("declared", "value"), POINTS, ids=IDS)
@needs_fake_cuda
def test_arms_run_on_fake_cuda_tensors(declared: Declared, value: PointValue | None) -> None:
    run_fake(declared.pair, value)
