"""The folder of runs: a document is replaced whole or not at all, and what cannot be written is told."""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bench import store
from bench.results import read_run
from tests.bench.runs import make_run, timed


def test_a_run_is_named_after_its_start_and_commit() -> None:
    noon = datetime(2026, 1, 2, 12, 0, tzinfo=UTC)
    assert store.new_id(noon, "abc123-dirty") == "20260102T120000-abc123"
    assert store.new_id(noon, None) == "20260102T120000-nogit"


def test_only_an_unfinished_run_of_this_machine_is_gone_on_with(tmp_path: Path) -> None:
    done = make_run().model_copy(update={"id": "20260103T000000-a", "finished": "2026-01-03T00:10:00+00:00"})
    cut = make_run().model_copy(update={"id": "20260102T000000-a"})
    for run in (done, cut):
        store.write(run, store.path_of(run, tmp_path))
    (tmp_path / "box" / "20260104T000000-a").mkdir()
    (tmp_path / "box" / "20260104T000000-a" / "run.json").write_text("{half")
    assert store.unfinished("box", tmp_path) == store.path_of(cut, tmp_path)
    assert store.unfinished("other", tmp_path) is None


def test_a_failed_write_leaves_the_old_document_and_no_litter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = store.path_of(make_run(), tmp_path)
    store.write(make_run(), path)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(store.StoreError, match="No space left on device"):
        store.write(make_run([timed(0.1)]), path)
    assert len(read_run(path).points) == 2
    assert [p.name for p in path.parent.iterdir()] == ["run.json"]


def test_a_full_disk_is_told_before_the_first_measurement(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(small)], check=False)
    if mounted.returncode:
        pytest.skip("mounting a small tmpfs needs root")
    try:
        with pytest.raises(store.StoreError, match=r"\d MiB free < 16 MiB wanted; free some space"):
            store.prepare(small / "box" / "run" / "run.json")
    finally:
        subprocess.run(["umount", str(small)], check=True)
