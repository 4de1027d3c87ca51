"""The plausible run and its parts, for whoever asks for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bench.claims import Claims, read_claims
from bench.results import PointRecord, Run
from tests.report.plausible import CLAIMS, HOSTILE, MakeRun, controls, pairs, plausible_run, timed, write_run


@pytest.fixture(scope="session")
def claims(tmp_path_factory: pytest.TempPathFactory) -> Claims:
    path = tmp_path_factory.mktemp("claims") / "claims.toml"
    path.write_text(CLAIMS, encoding="utf-8")
    return read_claims(path)


@pytest.fixture
def claims_file(tmp_path: Path) -> Path:
    path = tmp_path / "claims.toml"
    path.write_text(CLAIMS, encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def make_run() -> MakeRun:
    """``make_run(**fields)``: the plausible run with some fields of the document replaced."""
    return plausible_run


@pytest.fixture(scope="session")
def run() -> Run:
    return plausible_run()


@pytest.fixture(scope="session")
def save() -> Callable[[Run, Path], Path]:
    """``save(run, folder)``: the run where the store would put it."""
    return write_run


@pytest.fixture(scope="session")
def make_record() -> Callable[..., PointRecord]:
    """``make_record(pair, claim, ratio, seed=…)``: a timed pair."""
    return timed


@pytest.fixture(scope="session")
def make_controls() -> Callable[..., list[PointRecord]]:
    """``make_controls(same=1.0, planted=1.05)``."""
    return controls


@pytest.fixture(scope="session")
def make_pairs() -> Callable[[], list[PointRecord]]:
    """One pair or more for every verdict, anew."""
    return pairs


@pytest.fixture(scope="session")
def hostile() -> str:
    """What a result file may try."""
    return HOSTILE
