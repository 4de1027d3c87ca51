from pathlib import Path

import pytest
import torch
from torch import nn

from suites.deploy import pruning
from suites.workloads.compressing import pruned, share_of_zeros
from tests.suites.points import build, metrics, size_of

pytest.importorskip("sklearn")


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
    assert torch.equal(kept["output"], for_good["output"])


def test_what_the_document_imports_does_not_exist() -> None:
    assert not hasattr(torch.nn, "prune")


# The four weights of the convolution are 0, 1, 2, 3; half of them, 0 and 1, are the smallest.
def test_only_the_named_layers_are_pruned_and_counted() -> None:
    layer = nn.Conv2d(1, 1, 2)
    with torch.no_grad():
        layer.weight.copy_(torch.tensor([[[[0.0, 1.0], [2.0, 3.0]]]]))
    model = nn.Sequential(layer, nn.Linear(2, 2))
    assert share_of_zeros(model, (nn.Conv2d,)) == 0.25
    half = pruned(model, 50, (nn.Conv2d,))
    assert half[0].weight.flatten().tolist() == [0, 0, 2, 3]
    assert torch.equal(half[1].weight, model[1].weight)
    assert model[0].weight.flatten().tolist() == [0, 1, 2, 3]
