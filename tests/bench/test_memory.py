from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from bench.memory import Memory, memory_here

GIB = 2**30


def a_group(folder: Path, **files: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / f"memory.{name}").write_text(f"{text}\n")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own"


@pytest.fixture
def groups(tmp_path: Path) -> Path:
    return tmp_path / "groups"


def test_a_container_is_as_large_as_its_limit_and_its_cache_counts_as_free(own: Path, groups: Path) -> None:
    own.write_text("0::/\n")
    a_group(groups, max=GIB, current=GIB // 2, stat=f"anon 7\ninactive_file {GIB // 4}")
    assert memory_here(own, groups) == Memory(GIB, GIB * 3 / 4)


def test_the_tightest_of_nested_groups_counts(own: Path, groups: Path) -> None:
    own.write_text("0::/a.slice/b.scope\n")
    a_group(groups / "a.slice" / "b.scope", max="max", current=5, stat="inactive_file 0")
    a_group(groups / "a.slice", max=GIB, current=GIB // 2, stat="inactive_file 0")
    assert memory_here(own, groups) == Memory(GIB, GIB / 2)


@pytest.mark.parametrize("path", ["/", "/docker/of-the-host"], ids=["own namespace", "the host's path"])
def test_groups_of_the_first_version(path: str, own: Path, groups: Path) -> None:
    own.write_text(f"12:cpu,cpuacct:/elsewhere\n4:memory:{path}\n0::/\n")
    a_group(groups / "memory", limit_in_bytes=GIB, usage_in_bytes=3 * GIB // 4, stat="total_inactive_file 0")
    assert memory_here(own, groups) == Memory(GIB, GIB / 4)


def test_a_group_over_its_limit_has_nothing_free(own: Path, groups: Path) -> None:
    own.write_text("0::/\n")
    a_group(groups, max=GIB, current=GIB + 4096, stat="inactive_file 0")
    assert memory_here(own, groups) == Memory(GIB, 0)


@pytest.mark.parametrize("told", [None, "0::/\n", "4:memory:/\n"])
def test_without_limits_it_is_the_machines(told: str | None, own: Path, groups: Path) -> None:
    if told is not None:
        own.write_text(told)
    assert memory_here(own, groups).total == psutil.virtual_memory().total
