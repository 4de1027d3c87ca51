"""How much memory there is: the machine's, or what the limit of a container leaves of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import psutil

OWN_GROUPS = Path("/proc/self/cgroup")
GROUPS = Path("/sys/fs/cgroup")
SHARE_OF_AN_ARM = 0.8


@dataclass(frozen=True)
class Memory:
    """Bytes that all processes here may use together, and how many of them are free."""

    total: float
    free: float


class _Files(NamedTuple):
    """What the kernel calls a group's limit and use, and the part of its use that it gives back when asked."""

    limit: str
    used: str
    cache: str


# https://docs.kernel.org/admin-guide/cgroup-v1/memory.html and .../cgroup-v2.html#memory
_V1 = _Files("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
_V2 = _Files("memory.max", "memory.current", "inactive_file")


def memory_here(own_groups: Path = OWN_GROUPS, groups: Path = GROUPS) -> Memory:
    """What the tightest of all limits on this process allows, the machine's own size among them."""
    machine = psutil.virtual_memory()
    limits = [Memory(machine.total, machine.available), *_limits(own_groups, groups)]
    return Memory(min(m.total for m in limits), min(m.free for m in limits))


def memory_allowance() -> float:
    """Bytes that an arm may use: four fifths of what is free now, so that the run itself survives."""
    return SHARE_OF_AN_ARM * memory_here().free


def _limits(own_groups: Path, groups: Path) -> Iterator[Memory]:
    """One for every control group with a limit that this process is in, by itself or by a group around its own."""
    for root, path, files in _memory_groups(own_groups, groups):
        inner = root / path
        # Inside a container the path may be the host's; then only the root is there, and is the container's own.
        for group in (inner, *(p for p in inner.parents if p.is_relative_to(root))):
            try:
                limit, used = (int((group / name).read_text()) for name in (files.limit, files.used))
                stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
            except (OSError, ValueError):
                continue
            yield Memory(limit, max(0, limit - used + int(stat.get(files.cache, 0))))


def _memory_groups(own_groups: Path, groups: Path) -> Iterator[tuple[Path, str, _Files]]:
    try:
        lines = own_groups.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:
            yield groups, path.lstrip("/"), _V2
        elif "memory" in controllers.split(","):
            yield groups / "memory", path.lstrip("/"), _V1
