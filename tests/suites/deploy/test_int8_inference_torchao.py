from pathlib import Path

import pytest

from suites.deploy.int8_inference_torchao import PAIR
from suites.workloads import minilm
from tests.suites.points import metrics

pytest.importorskip("sklearn")
pytest.importorskip("torchao")


def test_torchao_reaches_the_same_layers(tmp_path: Path) -> None:
    found = metrics(PAIR, tmp_path, "minilm-8")
    # Without the biases, which stay in float: 9 x 24 of the numbers that the document's way packs.
    model = minilm.tiny()
    weights = sum(p.numel() for n, p in model.named_parameters() if n.endswith("weight") and p.ndim == 2)
    embedded = sum(e.weight.numel() for e in (model.tokens, model.places, model.kinds))
    share = (weights - embedded) / sum(p.numel() for p in model.parameters())
    assert found["share in int8"]["recommended"] == pytest.approx(share)
