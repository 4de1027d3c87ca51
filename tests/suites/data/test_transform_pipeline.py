from pathlib import Path

import pytest
import torch

from suites.data import transform_pipeline
from suites.workloads.pipelines import DEVIATION, levels_off
from tests.suites.points import metrics

pytest.importorskip("sklearn")
pytestmark = pytest.mark.filterwarnings("ignore:.*torchcodec:DeprecationWarning")


# The batch's normalisation is the sample's; PIL and torchvision round their resized pixels in their own ways.
@pytest.mark.parametrize("source", ["jpeg-files", "decoded"])
def test_pixels_agree_to_within_a_level(tmp_path: Path, source: str) -> None:
    levels = metrics(transform_pipeline.PAIR, tmp_path, source)["pixel difference"]
    assert levels["anti_pattern"] == 0
    assert levels["pil_and_normalised_by_the_batch"] == pytest.approx(0, abs=1e-4)
    assert levels["recommended"] < 1


def test_a_level_is_a_255th_of_the_range() -> None:
    expected = torch.zeros(1, 3, 2, 2)
    one_level = (torch.ones(3) / 255 / torch.tensor(DEVIATION))[:, None, None]
    assert levels_off({"images": expected + one_level, "expected": expected}) == pytest.approx(1)
