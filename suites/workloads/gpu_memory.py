"""How much GPU memory a process may take, and what PyTorch's caching allocator says of its own doing."""

from __future__ import annotations

import gc
from collections.abc import Callable

import torch


def peak_of(run: Callable[[], object]) -> int:
    """The most bytes of tensors alive while it runs, from an empty cache to an empty cache; 0 without a GPU."""
    if not torch.cuda.is_available():
        return 0
    _empty()
    torch.cuda.reset_peak_memory_stats()
    run()
    torch.cuda.synchronize()
    peak = torch.cuda.max_memory_allocated()
    _empty()
    return peak


def limit_to(nbytes: int) -> None:
    """Let this process's allocator have no more than this from now on, as on a smaller GPU."""
    if torch.cuda.is_available():
        total = torch.cuda.get_device_properties(torch.cuda.current_device()).total_memory
        torch.cuda.set_per_process_memory_fraction(min(1.0, nbytes / total))


def forget_the_past() -> None:
    """Count anew from here, with nothing in the cache."""
    if torch.cuda.is_available():
        _empty()
        torch.cuda.reset_peak_memory_stats()
        torch.cuda.reset_accumulated_memory_stats()


def retries() -> int:
    """How often the allocator gave back its whole cache to find room, each time waiting for the GPU."""
    return int(torch.cuda.memory_stats().get("num_alloc_retries", 0))


def unused_at_the_peak() -> int:
    """The most bytes that were reserved, less the most that tensors took of them."""
    stats = torch.cuda.memory_stats()
    return int(stats.get("reserved_bytes.all.peak", 0)) - int(stats.get("allocated_bytes.all.peak", 0))


def _empty() -> None:
    gc.collect()
    torch.cuda.empty_cache()
