from pathlib import Path

import pytest
import torch

from bench import exactly
from suites.workloads.cache import cache_folder, cached
from suites.workloads.compare import error_of, in_part, relative_error


def test_the_cache_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHPROOF_CACHE", "/own")
    assert cache_folder() == Path("/own")
    monkeypatch.delenv("TORCHPROOF_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache_folder() == Path("/xdg/torchproof")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/somebody")
    assert cache_folder() == Path("/home/somebody/.cache/torchproof")


def test_a_cached_file_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHPROOF_CACHE", str(tmp_path))
    made = iter([b"first", b"second"])
    assert cached("a/b", lambda: next(made)).read_bytes() == b"first"
    assert cached("a/b", lambda: next(made)).read_bytes() == b"first"


def test_a_failing_maker_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHPROOF_CACHE", str(tmp_path))

    def fails() -> bytes:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        cached("a/b", fails)
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == []


# |(3, 4) - (0, 0)| / |(3, 4)| = 1, and |(6, 8) - (3, 4)| / 5 = 1.
def test_relative_error_is_the_gap_over_the_truth() -> None:
    truth = torch.tensor([3.0, 4.0])
    assert relative_error(torch.zeros(2), truth) == 1
    assert error_of("x")({"x": 2 * truth, "true x": truth}) == 1


def test_only_the_named_part_is_held_equal() -> None:
    same = in_part("kept", exactly)
    assert same.difference({"kept": 1, "free": 1}, {"kept": 1, "free": 2}) is None
    assert same.difference({"kept": 1}, {"kept": 2}) is not None
