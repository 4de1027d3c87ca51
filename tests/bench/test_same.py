import torch

from bench.same import exactly, may_differ, within


def test_exactly_says_how_far_and_in_how_many() -> None:
    told = exactly.difference(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 2.5, 3.0]))
    assert told == "result differs by up to 0.5 in 1 of 3 numbers, wanted bit for bit"


def test_exactly_takes_equal_nans_as_equal() -> None:
    assert exactly.difference(torch.tensor([float("nan")]), torch.tensor([float("nan")])) is None


def test_exactly_tells_types_shapes_and_dtypes_apart() -> None:
    x = torch.ones(2)
    assert "shape (2,)" in (exactly.difference(x, torch.ones(3)) or "")
    assert "float64" in (exactly.difference(x, x.double()) or "")
    assert "Tensor" in (exactly.difference(x, "x") or "")


def test_within_allows_rounding_only() -> None:
    same = within(rtol=1e-5, atol=1e-8)
    assert same.difference(torch.tensor([1.0]), torch.tensor([1.000001])) is None
    assert "wanted within 1e-05 relative" in (same.difference(torch.tensor([1.0]), torch.tensor([1.1])) or "")


def test_parts_are_named() -> None:
    a, b = (
        {"loss": 1.0, "logits": [torch.ones(1), torch.ones(1)]},
        {"loss": 1.0, "logits": [torch.ones(1), torch.zeros(1)]},
    )
    assert (exactly.difference(a, b) or "").startswith("result['logits'][1] differs")
    assert "keys extra" in (exactly.difference({"a": 1}, {"a": 1, "extra": 2}) or "")
    assert "has 1 parts" in (exactly.difference([1], [1, 2]) or "")


def test_a_new_nan_is_a_difference() -> None:
    assert "inf" in (within(1e-3).difference(torch.tensor([1.0]), torch.tensor([float("nan")])) or "")


def test_may_differ_holds_nothing_and_says_why() -> None:
    same = may_differ("accuracy", because="int8 rounds")
    assert same.free
    assert same.difference(1, 2) is None
    assert same.describe == "may differ in accuracy: int8 rounds"
