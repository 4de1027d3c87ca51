"""Running CUDA-only arms where there is no GPU: fake CUDA tensors have shapes and devices, and no numbers.

It shows that the code still runs, that no tensor is left on the wrong device, and nothing about speed. What fake
tensors cannot do is replaced by what it would return: pinning hands the tensor back, events and streams do nothing.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import torch
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


@contextlib.contextmanager
def fake_cuda() -> Iterator[None]:
    """Inside, tensors are fake and CUDA seems to be there."""

    def itself(tensor: torch.Tensor, *_: object, **__: object) -> torch.Tensor:
        return tensor

    stand_ins = (
        mock.patch.object(torch.cuda, "is_available", return_value=True),
        mock.patch.object(torch.cuda, "synchronize"),
        mock.patch.object(torch.Tensor, "pin_memory", itself),
    )
    with contextlib.ExitStack() as stack:
        for stand_in in stand_ins:
            stack.enter_context(stand_in)
        stack.enter_context(FakeTensorMode(allow_non_fake_inputs=True))
        yield
