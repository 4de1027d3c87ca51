from pathlib import Path

import pytest

from suites.autograd.loss_history import PAIR
from tests.suites.points import results


@pytest.mark.parametrize("loop", ["evaluation", "training", "training-short-steps"])
def test_every_history_has_the_same_losses(tmp_path: Path, loop: str) -> None:
    assert {len(losses) for losses in results(PAIR, tmp_path, loop).values()} == {3}
