"""Small dense networks in which activations, not weights, take the memory."""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn
from torch.nn import functional as F

CLASSES = 10


def dense(width: int, depth: int, outputs: int = CLASSES) -> nn.Sequential:
    """``depth`` hidden layers with Tanh, so that every layer keeps an activation for its backward."""
    hidden = [layer for _ in range(depth) for layer in (nn.Linear(width, width), nn.Tanh())]
    return nn.Sequential(*hidden, nn.Linear(width, outputs))


def true_first_bias_gradient(model: nn.Sequential, x: Tensor, y: Tensor) -> Tensor:
    """The cross entropy's gradient of the first layer's bias in float64: small, and all of the backward is in it."""
    exact = copy.deepcopy(model).double()
    F.cross_entropy(exact(x.double()), y).backward()
    return first_bias_gradient(exact)


def first_bias_gradient(model: nn.Sequential) -> Tensor:
    """The gradient of the first layer's bias as it stands."""
    first = model[0]
    assert isinstance(first, nn.Linear)
    assert first.bias.grad is not None
    return first.bias.grad


def normal(*shape: int, device: torch.device) -> Tensor:
    """Standard normal numbers, drawn on the CPU so that every device gets the same."""
    return torch.randn(*shape).to(device)
