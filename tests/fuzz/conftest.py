from __future__ import annotations

from pathlib import Path

import pytest

from bench.claims import Claims, read_claims
from tests.report.plausible import CLAIMS


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all examples."""
    return tmp_path_factory.mktemp("fuzz")


@pytest.fixture(scope="session")
def claims(folder: Path) -> Claims:
    (file := folder / "claims.toml").write_text(CLAIMS, encoding="utf-8")
    return read_claims(file)
