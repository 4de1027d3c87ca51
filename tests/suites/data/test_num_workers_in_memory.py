from pathlib import Path

import pytest

from suites.data.num_workers_in_memory import PAIR
from tests.suites.points import results


@pytest.mark.filterwarnings("ignore:This DataLoader will create")
def test_workers_load_what_the_main_process_loads(tmp_path: Path) -> None:
    results(PAIR, tmp_path, 2)
