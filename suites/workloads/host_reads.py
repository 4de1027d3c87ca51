"""How often code reads a value of a tensor into Python: each such read waits for the device to catch up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode


class _Reads(TorchDispatchMode):
    def __init__(self) -> None:
        super().__init__()
        self.number = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.number += func is torch.ops.aten._local_scalar_dense.default
        return func(*args, **(kwargs or {}))


def host_reads(code: Callable[[], object]) -> int:
    """The number of reads while ``code`` runs, also where the tensors are on the CPU and reading is free."""
    with _Reads() as reads:
        code()
    return reads.number
