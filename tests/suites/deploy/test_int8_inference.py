from pathlib import Path

import pytest
import torch
from torch import nn

from suites.deploy.int8_inference import PAIR
from suites.workloads import minilm
from suites.workloads.compressing import quantized, share_in_int8
from tests.suites.points import metrics

pytest.importorskip("sklearn")
pytestmark = [
    pytest.mark.filterwarnings("ignore:torch.ao.quantization:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:torch.quantize_per:UserWarning"),
]


# Width 4: convolutions of 4 x 9 + 4 and 8 x 4 x 9 + 8 numbers, and a head of 8 x 10 + 10 = 90, the only Linear.
def test_the_convolutions_stay_in_float_but_for_onnx_runtime(tmp_path: Path) -> None:
    for package in PAIR.needs.packages[-3:]:
        pytest.importorskip(package)
    share = metrics(PAIR, tmp_path, "digits-cnn-64")["share in int8"]
    assert share["anti_pattern"] == 0
    assert share["recommended"] == pytest.approx(90 / 426)
    assert share["onnx_runtime"] > 0.9


# Six blocks of 4 x (384^2 + 384) + 2 x 4 x 384^2 + 5 x 384 numbers in Linear layers; 30522 + 512 + 2 embeddings of 384.
def test_more_than_half_of_minilm_are_embeddings() -> None:
    with torch.device("meta"):
        model = minilm.Encoder()
    everything = sum(p.numel() for p in model.parameters())
    linear = sum(p.numel() for m in model.modules() if isinstance(m, nn.Linear) for p in m.parameters())
    assert linear == 6 * (4 * (384**2 + 384) + 2 * 4 * 384**2 + 5 * 384) == 10_637_568
    assert everything == pytest.approx(22.57e6, rel=1e-3)


# The tiny encoder: one block at width 24 with 4 x (24^2 + 24) + 8 x 24^2 + 5 x 24 numbers in Linear layers.
def test_the_embeddings_stay_in_float() -> None:
    model = minilm.tiny()
    share = share_in_int8(model, quantized(model))
    assert share == pytest.approx((4 * 600 + 8 * 576 + 120) / sum(p.numel() for p in model.parameters()))
