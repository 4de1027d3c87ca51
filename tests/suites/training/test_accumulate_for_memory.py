from pathlib import Path

import pytest

from bench.devices import Cpu
from suites.training import accumulate_for_memory
from tests.suites.points import build, metrics


@pytest.mark.parametrize("parts", [2, 4, 16])
def test_accumulation_gives_the_gradient_of_the_whole_batch(tmp_path: Path, parts: int) -> None:
    errors = metrics(accumulate_for_memory.PAIR, tmp_path, parts)["gradient error"]
    assert errors == pytest.approx({"anti_pattern": 0, "recommended": 0}, abs=1e-5)


# Memory is at its highest in Adam's update, which needs a tensor of its own as large as a weight, here 64 x 64: more
# than the activations that are gone by then.
def test_nothing_is_saved_where_weights_take_the_memory(tmp_path: Path) -> None:
    peaks = {
        arm: Cpu().memory(lambda arm=arm: build(accumulate_for_memory.HEAVY_WEIGHTS, tmp_path, 4, arm), 1)[0].peak
        for arm in ("anti_pattern", "recommended")
    }
    assert peaks["recommended"] == peaks["anti_pattern"]


def test_adam_at_a_rate_of_zero_leaves_the_gradient_as_it_is(tmp_path: Path) -> None:
    step = build(accumulate_for_memory.HEAVY_WEIGHTS, tmp_path, 4, "recommended")
    first, second = step()["gradient"].clone(), step()["gradient"]
    assert first.equal(second)
