from pathlib import Path

import pytest

from suites.data import cache_repeated_reads
from tests.suites.points import build, results

pytest.importorskip("sklearn")


@pytest.mark.parametrize("files", ["in-page-cache", "from-disk", "photographs"])
def test_the_copy_in_memory_is_what_the_files_hold(tmp_path: Path, files: str) -> None:
    results(cache_repeated_reads.PAIR, tmp_path, files)


def test_only_the_first_epoch_needs_the_files(tmp_path: Path) -> None:
    steps = {
        arm: build(cache_repeated_reads.PAIR, tmp_path, "from-disk", arm) for arm in ("anti_pattern", "recommended")
    }
    first = {arm: step() for arm, step in steps.items()}
    for path in tmp_path.rglob("*.bin"):
        path.unlink()
    assert steps["recommended"]().equal(first["recommended"])
    with pytest.raises(FileNotFoundError):
        steps["anti_pattern"]()
