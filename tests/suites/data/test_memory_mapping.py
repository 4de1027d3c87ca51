import sys
from pathlib import Path

import pytest

from suites.data import memory_mapping
from tests.suites.points import build, results

pytest.importorskip("h5py")


@pytest.mark.parametrize("file", ["read-in-part", "all-of-it"])
def test_every_way_reads_the_same_rows(tmp_path: Path, file: str) -> None:
    found = results(memory_mapping.PAIR, tmp_path, file)
    assert {len(sums) for sums in found.values()} == {2 if file == "read-in-part" else 20}


@pytest.mark.skipif(sys.platform != "linux", reason="the limit counts no mapped files on Linux only")
def test_only_a_mapping_opens_what_does_not_fit(tmp_path: Path) -> None:
    with pytest.raises(MemoryError):
        build(memory_mapping.PAIR, tmp_path, "larger-than-memory", "anti_pattern")()
    sums = [build(memory_mapping.PAIR, tmp_path, "larger-than-memory", a)() for a in ("recommended", "through_h5py")]
    assert sums[0].equal(sums[1])
