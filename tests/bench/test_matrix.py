"""Several versions of torch: what is installed for each, what is measured, and what is told of the difference."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bench import matrix
from bench.__main__ import main
from bench.claims import read_claims
from bench.collect import CLAIMS_FILE, ROOT
from bench.matrix import Column, MatrixError, environments_in, measure, report, requirements, run_matrix, torchvision_of
from bench.results import Environment, Run
from tests.bench.checkout import Checkout
from tests.bench.runs import controls, make_run, timed


def with_torch(version: str, **ratios: float) -> Column:
    points = [*controls(), *(timed(r, f"tensors/{name}", ["reshape-copies"]) for name, r in ratios.items())]
    environment = Environment(python="3.11", torch=version)
    return Column(version, make_run(points).model_copy(update={"environment": environment}))


def test_each_torch_has_its_torchvision() -> None:
    assert torchvision_of("2.9.1") == "torchvision==0.24.*"
    assert torchvision_of("2.14.1") == "torchvision==0.29.*"
    with pytest.raises(MatrixError, match=r"'newest' is no version of torch 2; write it like 2.14.1"):
        torchvision_of("newest")


def test_the_projects_own_requirements_leave_torch_to_the_matrix() -> None:
    found = requirements(ROOT / "pyproject.toml")
    assert "numpy>=2.0" in found
    assert not any(r.startswith("torch") for r in found)
    assert any(r.startswith("torchao") for r in requirements(ROOT / "pyproject.toml", "deploy"))
    assert requirements(ROOT / "pyproject.toml", "unheard-of") == []


def test_environments_are_removed_unless_they_have_a_place(tmp_path: Path) -> None:
    with environments_in(None) as folder:
        (folder / "torch-2.9.1").mkdir()
    assert not folder.exists()
    with environments_in(tmp_path / "kept") as folder:
        assert folder.is_dir()
    assert folder.exists()


def test_what_changed_from_version_to_version_is_told_for_all_of_them() -> None:
    columns = [with_torch("2.12.0", one=0.5, two=0.8), with_torch("2.13.0", one=0.5, two=1.2)]
    told, comparable = report([*columns, with_torch("2.14.1", one=0.5, two=1.2)], read_claims(CLAIMS_FILE))
    assert comparable
    assert told[0] == "torch 2.12.0 to 2.13.0:"
    assert "1 of 2 measurements moved beyond noise, 1 with another verdict" in told[1]
    assert told[2] == "  not the same: environment torch was 2.12.0, is 2.13.0"
    assert told[4] == "torch 2.13.0 to 2.14.1:"
    assert "unchanged, none of 2 measurements moved" in told[5]
    head, *rows = told[-4:]
    assert head == "tensors/two time"
    assert [row.split()[0] for row in rows] == ["2.12.0", "2.13.0", "2.14.1"]
    assert rows[0].endswith("CONFIRMED")
    assert rows[1].endswith("BACKFIRES")
    assert rows[2].endswith("as the version beside it")


def test_versions_that_cannot_be_compared_say_why() -> None:
    bad = Column("2.14.1", make_run([*controls(same=1.2), timed(0.5)]))
    told, comparable = report([with_torch("2.13.0", one=0.5), bad], read_claims(CLAIMS_FILE))
    assert not comparable
    assert told[1].startswith("  cannot be compared: the controls of")


def test_a_version_that_cannot_be_installed_is_left_out_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    told: list[str] = []
    assert run_matrix(["2.99.0"], None, [], [], tmp_path, told.append) == []
    assert told[-1].startswith("NOT MEASURED: torch 2.99.0: -m pip install --quiet … ended with 1: ")
    assert "torch==2.99.0" in told[-1]


def test_the_command_refuses_what_is_no_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matrix", "2.14.1", "latest"]) == 2
    assert "'latest' is no version of torch 2" in capsys.readouterr().err


@pytest.mark.slow
def test_a_version_is_measured_in_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = Checkout(tmp_path)
    checkout.practice("good")
    monkeypatch.setattr(matrix, "ROOT", checkout.folder)
    told: list[str] = []
    smoke = ["--profile", "smoke", "-q"]
    run: Run = measure("2.14.1", Path(sys.executable), smoke, tmp_path / "runs", told.append)
    assert run.finished is not None
    assert (tmp_path / "runs" / "torch-2.14.1" / run.machine.name / run.id / "run.json").is_file()
    assert any(line.startswith("[2.14.1] tensors/good  time") for line in told)
    with pytest.raises(MatrixError, match=r"torch 2.14.1: nothing was measured: .*nothing to measure"):
        measure("2.14.1", Path(sys.executable), [*smoke, "-k", "absent"], tmp_path / "runs", told.append)
