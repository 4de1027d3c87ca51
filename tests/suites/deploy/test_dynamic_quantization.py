from pathlib import Path
from typing import Any

import pytest
import torch

from bench import Pair, Setup
from suites.deploy import dynamic_quantization, dynamic_quantization_torchao
from suites.workloads.deployed import perceptron_on_digits
from tests.suites.points import results, size_of

pytest.importorskip("sklearn")
PAIRS = [dynamic_quantization.PAIR, dynamic_quantization_torchao.PAIR]
pytestmark = [
    pytest.mark.filterwarnings("ignore:torch.ao.quantization:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:torch.quantize_per:UserWarning"),
]


# A float is four bytes and an int8 one: 512 x 512 weights outweigh all else, so the file nears a quarter.
@pytest.mark.parametrize("pair", PAIRS, ids=["torch.ao", "torchao"])
def test_quantized_linear_layers_take_a_quarter_of_the_file(tmp_path: Path, pair: Pair[Any]) -> None:
    for package in pair.needs.packages:
        pytest.importorskip(package)
    results(pair, tmp_path, "512x64")
    assert 0.25 < size_of(tmp_path, "recommended") / size_of(tmp_path, "anti_pattern") < 0.30


# 449 test images: seven batches of 64 and one image, or 449 batches.
@pytest.mark.parametrize(("point", "batches"), [("16x64", 8), ("16x1", 449)])
def test_the_point_says_width_and_batch(tmp_path: Path, point: str, batches: int) -> None:
    setup = Setup(torch.device("cpu"), tmp_path, smoke=True, value=point)
    d = perceptron_on_digits(setup)
    assert len(d.batches) == batches
    assert d.model[0].out_features == 16
