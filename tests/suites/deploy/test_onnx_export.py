from pathlib import Path

import pytest
import torch

from bench import Setup
from suites.deploy import onnx_export, onnx_export_cost
from suites.workloads import exporting
from suites.workloads.deployed import Deployment, deployment
from tests.suites.points import metrics

pytest.importorskip("sklearn")
for package in exporting.PACKAGES:
    pytest.importorskip(package)


def tiny(folder: Path, point: str) -> Deployment:
    return deployment(Setup(torch.device("cpu"), folder, smoke=True, value=point))


# Exported from a batch of one, which must not be taken for a constant; nor the lines' length.
@pytest.mark.parametrize(("point", "columns"), [("digits-cnn-1", 64), ("minilm-1", 8), ("minilm-1", 5)])
def test_one_file_serves_every_batch_size(tmp_path: Path, point: str, columns: int) -> None:
    d = tiny(tmp_path, point)
    assert len(d.batches[0]) == 1
    run, rows = exporting.session(exporting.exported(d)), torch.cat(d.batches)[:, :columns]
    for batch in (1, 2, 3):
        torch.testing.assert_close(run(rows[:batch]), d.model(rows[:batch]), rtol=1e-4, atol=1e-5)


def test_the_difference_is_that_of_rounding(tmp_path: Path) -> None:
    difference = metrics(onnx_export.PAIR, tmp_path, "digits-cnn-64")["largest difference"]
    assert difference["anti_pattern"] == 0
    assert difference["recommended"] < 1e-4


# The session takes its threads from torch, so that neither engine has more than the other.
def test_the_session_has_torchs_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import onnxruntime

    asked = []
    path = exporting.exported(tiny(tmp_path, "digits-cnn-64"))
    monkeypatch.setattr(onnxruntime, "InferenceSession", lambda path, options, providers: asked.append(options))
    torch.set_num_threads(2)
    exporting.session(path)
    assert asked[0].intra_op_num_threads == 2
    assert asked[0].get_session_config_entry("session.intra_op.allow_spinning") == "0"


def test_the_export_is_two_files(tmp_path: Path) -> None:
    files = metrics(onnx_export_cost.PAIR, tmp_path, "digits-cnn-64")["files to deploy"]
    assert files == {"anti_pattern": 1, "recommended": 2}
