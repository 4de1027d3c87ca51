"""Running CUDA-only arms where there is no GPU: fake CUDA tensors have shapes and devices, and no numbers.

It shows that the code still runs and that no tensor is left on the wrong device, and nothing about speed. What fake
tensors cannot do is replaced by what it would leave behind: pinning hands the tensor back, a backward gives every
parameter a gradient of its shape, waiting for the device waits for nothing.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode

from bench.pair import Pair, PointValue, Setup

STEPS = 2


def run_fake(pair: Pair[Any], value: PointValue | None) -> None:
    """Build every arm on fake CUDA tensors and step it twice. Raises whatever an arm raises."""
    with tempfile.TemporaryDirectory() as folder, fake_cuda():
        setup = Setup(torch.device("cuda"), Path(folder), smoke=True, value=value)
        for factory in pair.arms.values():
            step = factory(pair.inputs(setup))
            for _ in range(STEPS):
                step()


@cache
def can_fake_cuda() -> bool:
    """Whether this PyTorch runs fake CUDA tensors here: 2.9 asks the driver for some of them, so it needs a GPU."""
    try:
        with fake_cuda():
            torch.empty(1).to("cuda")
    except RuntimeError:
        return False
    return True


@contextlib.contextmanager
def fake_cuda() -> Iterator[None]:
    """Inside, tensors are fake, and may say that they are on a CUDA device."""
    stand_ins = (
        mock.patch.object(torch.cuda, "synchronize"),
        mock.patch.object(Tensor, "pin_memory", _itself),
        mock.patch.object(Tensor, "backward", _give_gradients),
    )
    with contextlib.ExitStack() as stack:
        for stand_in in stand_ins:
            stack.enter_context(stand_in)
        stack.enter_context(FakeTensorMode(allow_non_fake_inputs=True))
        yield


def _itself(tensor: Tensor, *_: object, **__: object) -> Tensor:
    return tensor


def _give_gradients(loss: Tensor, *_: object, **__: object) -> None:
    """What a backward leaves behind: the autograd engine itself needs a CUDA context."""
    waiting, seen = [loss.grad_fn], set()
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        variable = getattr(node, "variable", None)
        if variable is not None:
            variable.grad = torch.zeros_like(variable)
        waiting += [following for following, _ in node.next_functions]
