"""Layers that do what nobody meant."""

from __future__ import annotations

from torch import Tensor, nn


class Detach(nn.Module):
    """Cuts the trunk off from the loss."""

    def forward(self, x: Tensor) -> Tensor:
        """``x`` without its history."""
        return x.detach()


class MixSamples(nn.Module):
    """A reshape where a transpose was meant: pixels of different samples end up in one row."""

    def forward(self, x: Tensor) -> Tensor:
        """The same numbers in the wrong places."""
        return x.t().reshape(x.shape)
