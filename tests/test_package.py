"""What is built from a checkout holds what an installation needs, and no measurements."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from bench.collect import ROOT

pytest.importorskip("setuptools", minversion="77", reason="building needs setuptools: pip install --editable '.[dev]'")


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what git tracks, since setuptools leaves its working files beside what it builds."""
    folder = tmp_path_factory.mktemp("sources")
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if tracked.returncode:
        pytest.skip("not a git checkout")
    for name in tracked.stdout.decode().split("\0"):
        if name and not name.startswith("results/") and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    # Neither may be packed.
    (folder / "results" / "box").mkdir(parents=True)
    (folder / "results" / "box" / "run.json").write_text("{}")
    return folder


def build(sources: Path, what: str, into: Path) -> Path:
    """Ask setuptools for a wheel or an sdist, as pip and build do."""
    hook = f"from setuptools.build_meta import build_{what} as build; print(build({str(into)!r}))"
    done = subprocess.run([sys.executable, "-c", hook], cwd=sources, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return into / done.stdout.splitlines()[-1]


def declared(sources: Path) -> set[str]:
    """Everything of the packages that is needed where they are used."""
    kinds = {".py", ".toml", ".typed", ".j2", ".js", ".css"}
    found = (p for package in ("bench", "report", "suites") for p in (sources / package).rglob("*") if p.is_file())
    return {p.relative_to(sources).as_posix() for p in found if p.suffix in kinds}


def test_the_wheel_holds_the_packages_and_nothing_else(sources: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(build(sources, "wheel", tmp_path)) as wheel:
        names = set(wheel.namelist())
        metadata = wheel.read(next(n for n in names if n.endswith(".dist-info/METADATA"))).decode()
    info = {n for n in names if ".dist-info/" in n}
    assert names - info == declared(sources)
    assert {"bench/py.typed", "report/py.typed", "suites/claims.toml", "report/templates/page.html.j2"} <= names
    assert any(n.endswith(".dist-info/licenses/LICENSE") for n in info)
    assert "License-Expression: MIT" in metadata
    assert "Classifier: Private :: Do Not Upload" in metadata
    assert not any(n.endswith("entry_points.txt") for n in info)


def test_the_sdist_holds_what_builds_the_wheel(sources: Path, tmp_path: Path) -> None:
    with tarfile.open(build(sources, "sdist", tmp_path)) as sdist:
        names = {n.partition("/")[2] for n in sdist.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE"} | declared(sources) <= names
    assert not [n for n in names if n.startswith("results")]
