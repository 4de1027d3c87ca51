from pathlib import Path

import pytest

from suites.distributed.dp_or_ddp import PROCESSES
from tests.suites.points import metrics


# A model this small has one bucket of gradients: four parts exchange it four times, or once with no_sync().
@pytest.mark.parametrize(("parts", "every"), [(1, 1.0), (4, 4.0)])
def test_two_processes_come_to_the_whole_batchs_gradient(tmp_path: Path, parts: int, every: float) -> None:
    found = metrics(PROCESSES, tmp_path, parts)
    assert found["exchanges per update"] == {"anti_pattern": 0.0, "recommended": 1.0, "every_part_exchanged": every}
    assert found["error"] == pytest.approx(dict.fromkeys(found["error"], 0.0), abs=1e-5)
