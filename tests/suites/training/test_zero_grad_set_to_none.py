from pathlib import Path

from suites.training.zero_grad_set_to_none import PAIR
from tests.suites.points import metrics


# Six layers of 8 x 8 + 8 and a head of 8 x 10 + 10 are 522 weights of four bytes.
def test_zeros_are_kept_between_steps_and_none_is_nothing(tmp_path: Path) -> None:
    kept = metrics(PAIR, tmp_path, 2)["gradients kept between steps"]
    assert kept == {"anti_pattern": 4 * 522, "recommended": 0, "by_default": 0}
