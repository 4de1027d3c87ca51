from pathlib import Path

from bench.devices import Cpu
from suites.training.accumulate_for_memory_heavy_weights import PAIR
from tests.suites.points import build


# Memory is at its highest in Adam's update, which needs a tensor of its own as large as a weight, here 64 x 64: more
# than the activations that are gone by then.
def test_nothing_is_saved_where_weights_take_the_memory(tmp_path: Path) -> None:
    peaks = {
        arm: Cpu().memory(lambda arm=arm: build(PAIR, tmp_path, 4, arm), 1)[0].peak
        for arm in ("anti_pattern", "recommended")
    }
    assert peaks["recommended"] == peaks["anti_pattern"]


def test_adam_at_a_rate_of_zero_leaves_the_gradient_as_it_is(tmp_path: Path) -> None:
    step = build(PAIR, tmp_path, 4, "recommended")
    first, second = step()["gradient"].clone(), step()["gradient"]
    assert first.equal(second)
