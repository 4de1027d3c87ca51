"""How many bytes graphs hold for a backward at a moment, however often the tensors in them were used."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor


class Held:
    """A tensor that some graph saved; it lives as long as the graph holds it."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor


class Kept:
    """What graphs that were recorded under ``watch`` hold now."""

    def __init__(self, besides: Iterable[Tensor]) -> None:
        """``besides`` are tensors that live anyway, such as the parameters."""
        self._besides = {t.untyped_storage().data_ptr() for t in besides}
        self._held: weakref.WeakSet[Held] = weakref.WeakSet()

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Graphs that are recorded inside are watched for as long as they live."""
        with torch.autograd.graph.saved_tensors_hooks(self._hold, lambda held: held.tensor):
            yield

    @property
    def nbytes(self) -> int:
        """Bytes of the distinct tensors held now."""
        storages = {s.data_ptr(): s.nbytes() for s in (held.tensor.untyped_storage() for held in self._held)}
        return sum(nbytes for place, nbytes in storages.items() if place not in self._besides)

    def _hold(self, tensor: Tensor) -> Held:
        # The tensor itself knows its graph, which would then hold itself for ever.
        held = Held(tensor.detach())
        self._held.add(held)
        return held
