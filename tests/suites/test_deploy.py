from pathlib import Path

import pytest
import torch
from torch import nn

from suites.deploy import dynamic_quantization, pruning
from suites.workloads.deployed import share_of_zeros
from suites.workloads.digits import PIXELS, load_digits
from tests.suites.points import build, metrics, results, size_of

pytest.importorskip("sklearn")
pytestmark = [
    pytest.mark.filterwarnings("ignore:torch.ao.quantization:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:torch.quantize_per:UserWarning"),
]


def test_digits_are_split_without_overlap() -> None:
    digits = load_digits(seed=1)
    assert digits.train_x.shape == (1348, PIXELS)
    assert digits.test_x.shape == (449, PIXELS)
    assert [float(digits.train_x.amin()), float(digits.train_x.amax())] == [0, 1]
    assert not load_digits(seed=2).test_x.equal(digits.test_x)
    # Each of the 1,797 images is in one of the parts, whatever the seed.
    whole = sum(float(part.sum()) for part in (digits.train_x, digits.test_x))
    other = load_digits(seed=2)
    assert whole == pytest.approx(float(other.train_x.sum() + other.test_x.sum()), rel=1e-6)


# A float is four bytes and an int8 one: 512 x 512 weights outweigh all else, so the file nears a quarter.
def test_quantized_linear_layers_take_a_quarter_of_the_file(tmp_path: Path) -> None:
    results(dynamic_quantization.PAIR, tmp_path, 512)
    ratio = size_of(tmp_path, "recommended") / size_of(tmp_path, "anti_pattern")
    assert 0.25 < ratio < 0.30


def test_a_network_of_convolutions_stays_float32(tmp_path: Path) -> None:
    results(dynamic_quantization.CONVOLUTIONS, tmp_path, 32)
    ratio = size_of(tmp_path, "recommended") / size_of(tmp_path, "anti_pattern")
    assert 0.95 < ratio < 1.0


# 4 x 9 + 8 x 4 x 9 = 324 convolution weights at width 4, of which prune rounds the share to whole ones.
@pytest.mark.parametrize(("percent", "zeros"), [(20, 65), (50, 162), (90, 292)])
def test_pruned_weights_are_zeros_that_take_their_place(tmp_path: Path, percent: int, zeros: int) -> None:
    sparsity = metrics(pruning.PAIR, tmp_path, percent)["sparsity"]
    assert sparsity["anti_pattern"] == 0
    assert sparsity["recommended"] == sparsity["masks_kept"] == pytest.approx(zeros / 324)
    assert size_of(tmp_path, "recommended") == size_of(tmp_path, "anti_pattern")
    assert size_of(tmp_path, "masks_kept") > size_of(tmp_path, "anti_pattern")
    assert size_of(tmp_path, "pruned_deflated") < size_of(tmp_path, "dense_deflated")


def test_masks_and_zeros_classify_alike(tmp_path: Path) -> None:
    kept, for_good = (build(pruning.PAIR, tmp_path, 50, arm)() for arm in ("masks_kept", "recommended"))
    assert torch.equal(kept["logits"], for_good["logits"])


def test_share_of_zeros_counts_convolution_weights_only() -> None:
    layer = nn.Conv2d(1, 1, 2)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[[[0.0, 1.0], [2.0, 3.0]]]]))
    assert share_of_zeros(nn.Sequential(layer, nn.Linear(2, 2))) == 0.25
