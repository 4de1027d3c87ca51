"""How often a piece of code makes the host wait for the GPU, as torch itself reports it."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import torch


def waits(run: Callable[[], object]) -> int:
    """Run it once and count the operations that waited for the GPU; 0 without a GPU, where nothing waits."""
    if not torch.cuda.is_available():
        run()
        return 0
    mode = torch.cuda.get_sync_debug_mode()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.cuda.set_sync_debug_mode("warn")
        try:
            run()
        finally:
            torch.cuda.set_sync_debug_mode(mode)
    return sum("called a synchronizing" in str(warning.message) for warning in caught)
