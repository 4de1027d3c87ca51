"""What a pair holds equal: the arms' results are compared with one of these before any timing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Same:
    """A comparison of two results: ``difference(a, b)`` says what differs, or is None when nothing that matters does.

    ``free`` marks results that may differ, for a stated reason; nothing is then compared but their shape of answer.
    """

    describe: str
    difference: Callable[[Any, Any], str | None]
    free: bool = False


def _exact(a: Any, b: Any) -> str | None:
    return _differs(a, b, rtol=0.0, atol=0.0)


exactly = Same("the same values, bit for bit", _exact)


def within(rtol: float, atol: float = 0.0) -> Same:
    """Equal but for rounding: ``|a - b| <= atol + rtol * |b|`` for every number."""

    def difference(a: Any, b: Any) -> str | None:
        return _differs(a, b, rtol=rtol, atol=atol)

    return Same(f"the same values within {rtol:g} relative and {atol:g} absolute", difference)


def may_differ(what: str, because: str) -> Same:
    """The arms differ in ``what`` on purpose, and a metric of the pair says by how much."""
    return Same(f"may differ in {what}: {because}", lambda a, b: None, free=True)


def _differs(a: Any, b: Any, rtol: float, atol: float, where: str = "result") -> str | None:
    # Where results are compared torch is there; whoever only judges or reports runs need not wait for it.
    import torch

    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        return _tensors_differ(a, b, rtol, atol, where)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        if len(a) != len(b):
            return f"{where} has {len(a)} parts in the anti-pattern and {len(b)} in the recommended arm"
        pairs = [(f"{where}[{i}]", x, y) for i, (x, y) in enumerate(zip(a, b, strict=True))]
        return _first_difference(pairs, rtol, atol)
    if isinstance(a, dict) and isinstance(b, dict):
        if a.keys() != b.keys():
            odd = sorted(str(k) for k in a.keys() ^ b.keys())
            return f"{where} has the keys {', '.join(odd[:5])} in one arm only"
        return _first_difference([(f"{where}[{k!r}]", a[k], b[k]) for k in a], rtol, atol)
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return _tensors_differ(torch.tensor(float(a)), torch.tensor(float(b)), rtol, atol, where)
    if type(a) is not type(b):
        return f"{where} is {type(a).__name__} in the anti-pattern and {type(b).__name__} in the recommended arm"
    return None if a == b else f"{where} is {a!r:.80} in the anti-pattern and {b!r:.80} in the recommended arm"


def _first_difference(parts: list[tuple[str, Any, Any]], rtol: float, atol: float) -> str | None:
    for where, x, y in parts:
        found = _differs(x, y, rtol, atol, where)
        if found:
            return found
    return None


def _tensors_differ(a: Tensor, b: Tensor, rtol: float, atol: float, where: str) -> str | None:
    if a.shape != b.shape:
        return f"{where} has shape {tuple(a.shape)} in the anti-pattern and {tuple(b.shape)} in the recommended arm"
    if a.dtype != b.dtype and rtol == 0.0:
        return f"{where} is {a.dtype} in the anti-pattern and {b.dtype} in the recommended arm"
    import torch

    x, y = a.detach().double(), b.detach().double()
    if torch.allclose(x, y, rtol=rtol, atol=atol, equal_nan=True):
        return None
    gap = (x - y).abs()
    worst = gap.nan_to_num(nan=float("inf")).max().item()
    wanted = f"within {rtol:g} relative and {atol:g} absolute" if rtol or atol else "bit for bit"
    return f"{where} differs by up to {worst:.3g} in {int((gap != 0).sum())} of {gap.numel()} numbers, wanted {wanted}"
