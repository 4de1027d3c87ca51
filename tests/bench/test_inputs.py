from dataclasses import dataclass

import pytest
import torch
from torch import Tensor, nn

from bench.inputs import digest, overwrite, plain


@dataclass(frozen=True)
class Batch:
    x: Tensor
    names: list[str]


def test_digest_sees_every_tensor_wherever_it_lies() -> None:
    model = nn.BatchNorm1d(2)
    value = {"batch": Batch(torch.zeros(2), ["a"]), "more": (model, [torch.ones(1)])}
    before = digest(value)
    assert digest(value) == before
    model.running_mean.add_(1)  # type: ignore[union-attr, operator]
    assert digest(value) != before


def test_overwrite_writes_in_place_and_counts_what_changed() -> None:
    old = Batch(torch.zeros(2), [])
    view = old.x[:1]
    assert overwrite(old, Batch(torch.ones(2), [])) == 1
    assert view.item() == 1.0
    assert overwrite(old, Batch(torch.ones(2), [])) == 0


def test_overwrite_leaves_other_shapes_alone() -> None:
    assert overwrite(torch.zeros(2), torch.ones(3)) == 0


def test_overwrite_reaches_parameters() -> None:
    old, new = nn.Linear(2, 2), nn.Linear(2, 2)
    assert overwrite(old, new) == 2
    assert torch.equal(old.weight, new.weight)


def test_plain_values_come_off_their_graph() -> None:
    w = torch.ones(2, requires_grad=True)
    found = plain({"y": [w * 2], "n": 1})
    assert not found["y"][0].requires_grad


@pytest.mark.parametrize("value", [iter([1]), lambda: 1, torch.nn.Linear(1, 1), {"a": (object(),)}])
def test_what_is_no_value_yet_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="no value yet"):
        plain(value)
