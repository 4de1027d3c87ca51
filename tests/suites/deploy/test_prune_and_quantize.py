from pathlib import Path

import pytest

from suites.deploy import prune_and_quantize
from tests.suites.points import metrics, size_of

pytest.importorskip("sklearn")
pytestmark = [
    pytest.mark.filterwarnings("ignore:torch.ao.quantization:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:torch.quantize_per:UserWarning"),
]


# At width 16: 64 x 16 + 16 x 16 + 16 x 10 = 1440 weights, of which 288, 720 and 1296 are taken away.
@pytest.mark.parametrize(("percent", "zeros"), [(20, 288), (50, 720), (90, 1296)])
def test_pruning_takes_the_percentage_and_no_bytes(tmp_path: Path, percent: int, zeros: int) -> None:
    sparsity = metrics(prune_and_quantize.PAIR, tmp_path, f"perceptron-{percent}")["sparsity"]
    assert sparsity["recommended"] == sparsity["pruned_only"] == pytest.approx(zeros / 1440)
    assert size_of(tmp_path, "pruned_only") == size_of(tmp_path, "anti_pattern")
    assert size_of(tmp_path, "recommended") == size_of(tmp_path, "quantized_only")
    assert size_of(tmp_path, "both_deflated") < size_of(tmp_path, "recommended")
