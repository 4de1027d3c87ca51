"""Looking into a pair's inputs and results: were the inputs changed, what changes them, is a result a plain value."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn


def tensors_in(value: Any) -> Iterator[Tensor]:
    """The tensors in nested tuples, lists, dicts, dataclasses and modules, in a fixed order."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, nn.Module):
        yield from value.state_dict(keep_vars=True).values()
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from tensors_in(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from tensors_in(part)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from tensors_in(getattr(value, field.name))


def digest(value: Any) -> str:
    """A fingerprint of the tensors in ``value``: equal before and after a step unless the step changed them."""
    found = hashlib.blake2b(digest_size=16)
    for t in tensors_in(value):
        found.update(repr((t.dtype, tuple(t.shape))).encode())
        found.update(t.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
    return found.hexdigest()


def overwrite(old: Any, new: Any) -> int:
    """Copy the tensors of ``new`` into those of ``old`` in place where their shapes agree; how many were changed."""
    changed = 0
    with torch.no_grad():
        for a, b in zip(tensors_in(old), tensors_in(new), strict=False):
            if a.shape == b.shape and a.dtype == b.dtype and not torch.equal(a, b):
                # detach() shares the storage, and lets leaves and parameters be written to.
                a.detach().copy_(b)
                changed += 1
    return changed


def plain(value: Any, where: str = "the result") -> Any:
    """``value`` as plain tensors on the CPU, numbers, strings and containers.

    Raises TypeError for anything else, since a generator, a future or a lazy tensor would put off the work.
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if type(value) in (Tensor, nn.Parameter):
        return value.detach().cpu()
    if isinstance(value, (list, tuple)):
        return [plain(v, f"{where}[{i}]") for i, v in enumerate(value)]
    if isinstance(value, dict):
        return {str(k): plain(v, f"{where}[{k!r}]") for k, v in value.items()}
    raise TypeError(
        f"{where} is a {type(value).__name__}, which is no value yet; a step returns tensors, numbers or strings"
    )
