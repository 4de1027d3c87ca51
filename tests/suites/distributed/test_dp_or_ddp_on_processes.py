import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from suites.distributed.dp_or_ddp_on_processes import PAIR
from tests.suites.points import metrics


def measured(folder: Path, parts: int) -> dict[str, dict[str, float]]:
    return metrics(PAIR, folder, parts)


# A model this small has one bucket of gradients: four parts exchange it four times, or once with no_sync().
@pytest.mark.parametrize(("parts", "every"), [(1, 1.0), (4, 4.0)])
def test_two_processes_come_to_the_whole_batchs_gradient(tmp_path: Path, parts: int, every: float) -> None:
    # The arms fork, which a process may not whose autograd has threads of its own, as other tests leave behind.
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as fresh:
        found = fresh.submit(measured, tmp_path, parts).result()
    assert found["exchanges per update"] == {"anti_pattern": 0.0, "recommended": 1.0, "every_part_exchanged": every}
    assert found["error"] == pytest.approx(dict.fromkeys(found["error"], 0.0), abs=1e-5)
