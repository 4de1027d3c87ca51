"""What the kernel can be asked to refuse: memory and CPU by a control group, space by a small file system."""

from __future__ import annotations

import contextlib
import subprocess
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

CGROUPS = Path("/sys/fs/cgroup")


@contextmanager
def mounted(folder: Path, kind: str, options: str) -> Iterator[Path]:
    """A file system on ``folder`` while this is open; ``kind`` "bind" is the folder itself. Skips where it may not."""
    folder.mkdir(parents=True, exist_ok=True)
    what = ["--bind", str(folder)] if kind == "bind" else ["-t", kind, "-o", options, kind]
    try:
        done = subprocess.run(["mount", *what, str(folder)], capture_output=True, text=True, check=False)
    except OSError as error:
        pytest.skip(f"mounting needs mount ({error})")
    if done.returncode:
        pytest.skip(f"mounting needs root: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def remount(folder: Path, options: str) -> None:
    """Change the options of what ``mounted`` mounted."""
    subprocess.run(["mount", "-o", f"remount,{options}", str(folder)], check=True)


@contextmanager
def memory_group(limit_bytes: int) -> Iterator[Path]:
    """A group whose processes the kernel kills when they use more; join by writing to what is given. Skips without."""
    with _group("memory", "memory.limit_in_bytes", "memory.max", str(limit_bytes), str(limit_bytes)) as joined:
        yield joined


@contextmanager
def cpu_group(share: float) -> Iterator[Path]:
    """A group whose processes get ``share`` of one core, as a container's quota does. Skips without."""
    quota = int(share * 100_000)
    with _group("cpu", "cpu.cfs_quota_us", "cpu.max", str(quota), f"{quota} 100000") as joined:
        yield joined


@contextmanager
def _group(controller: str, v1: str, v2: str, limit_v1: str, limit_v2: str) -> Iterator[Path]:
    first = CGROUPS / controller
    name, limit = (v1, limit_v1) if first.is_dir() else (v2, limit_v2)
    group = (first if first.is_dir() else CGROUPS) / f"torchproof-{uuid.uuid4().hex[:8]}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"a limit on {controller} needs a control group that may be made ({error.strerror})")
    try:
        if not (group / name).exists():
            pytest.skip(f"the control groups here do not limit {controller}")
        (group / name).write_text(limit)
        yield group / "cgroup.procs"
    finally:
        _remove(group)


def _remove(group: Path) -> None:
    """The kernel may need a moment after the last process has gone."""
    for _ in range(100):
        with contextlib.suppress(OSError):
            group.rmdir()
            return
        time.sleep(0.05)
    raise TimeoutError(f"{group} still has processes: {(group / 'cgroup.procs').read_text().split()}")
