import zipfile
from pathlib import Path

import pytest
import torch

from suites.checkpoint import map_location
from suites.workloads.saved_elsewhere import save_as_from
from tests.suites.points import build, results


def test_a_file_from_a_gpu_needs_map_location_without_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(RuntimeError, match="Attempting to deserialize object on a CUDA device"):
        build(map_location.PAIR, tmp_path, "gpu", "anti_pattern")()
    assert build(map_location.PAIR, tmp_path, "gpu", "recommended")().shape == (4, 8)


def test_a_file_from_a_cpu_loads_either_way(tmp_path: Path) -> None:
    results(map_location.PAIR, tmp_path, "cpu")


def test_the_tag_is_all_that_tells_the_files_apart(tmp_path: Path) -> None:
    contents = []
    for location in ("cpu", "cuda:0"):
        save_as_from(location, {"weight": torch.ones(3)}, tmp_path / "model.pth")
        with zipfile.ZipFile(tmp_path / "model.pth") as file:
            contents.append({name: file.read(name) for name in file.namelist()})
    differing = [name for name, content in contents[0].items() if contents[1][name] != content]
    assert "model/data.pkl" in differing
    assert b"cuda:0" in contents[1]["model/data.pkl"]
    assert contents[0]["model/data/0"] == contents[1]["model/data/0"]
