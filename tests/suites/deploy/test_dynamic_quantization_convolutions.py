from pathlib import Path

import pytest

from suites.deploy.dynamic_quantization_convolutions import PAIR
from tests.suites.points import results, size_of

pytest.importorskip("sklearn")
pytestmark = [
    pytest.mark.filterwarnings("ignore:torch.ao.quantization:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:torch.quantize_per:UserWarning"),
]


def test_a_network_of_convolutions_stays_float32(tmp_path: Path) -> None:
    results(PAIR, tmp_path, 32)
    ratio = size_of(tmp_path, "recommended") / size_of(tmp_path, "anti_pattern")
    assert 0.95 < ratio < 1.0
