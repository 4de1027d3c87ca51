"""What may be done to gradients before an update: nothing, or clipping their norm to 1."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import torch
from torch import Tensor
from torch.nn.utils import clip_grad_norm_

Clip = Callable[[Iterable[Tensor]], Tensor]


def no_clipping(parameters: Iterable[Tensor]) -> Tensor:
    """Leave the gradients as they are."""
    return torch.zeros(())


def clip_to_one(parameters: Iterable[Tensor]) -> Tensor:
    """Clip the gradients' norm to 1; the norm that they had."""
    return clip_grad_norm_(parameters, max_norm=1.0)
