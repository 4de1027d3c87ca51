"""Measuring a pair that a test declares as source text, in real processes."""

import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from bench.claims import Claim, read_claims
from bench.collect import CLAIMS_FILE, load_pairs
from bench.launch import Launcher
from bench.measure import Measurement
from bench.profiles import SMOKE, Profile
from bench.results import PointRecord

HEADER = """
import os, signal, sys, time as clock
import torch
from torch import Tensor
from bench import *

def inputs(setup):
    torch.manual_seed(setup.seed)
    return torch.randn(8, 8)

def work(x):
    return lambda: x @ x

def pair(recommended, **options):
    fields = dict(claims=("c",), inputs=inputs, anti_pattern=work, same=exactly, metrics=(time,), timeout=20.0)
    return Pair(**(fields | dict(recommended=recommended) | options))
"""

MeasurePair = Callable[..., PointRecord]


@pytest.fixture(scope="session")
def launcher() -> Iterator[Launcher]:
    with Launcher() as found:
        yield found


@pytest.fixture
def measure(launcher: Launcher, tmp_path: Path) -> MeasurePair:
    """Measure the pair called PAIR of a source text; the record it leaves."""

    def measure_source(source: str, profile: Profile = SMOKE, budget_s: float = math.inf) -> PointRecord:
        folder = tmp_path / "topic"
        folder.mkdir(exist_ok=True)
        file = folder / f"practice_{len(list(folder.iterdir()))}.py"
        file.write_text(HEADER + dedent(source))
        declared = load_pairs(file)[0]
        measurement = Measurement(declared, None, "cpu", profile, 0, launcher)
        measurement.begin(time.monotonic() + 120, time.monotonic() + budget_s)
        return measurement.record()

    return measure_source


@pytest.fixture(scope="session")
def all_claims() -> dict[str, Claim]:
    """The claims of this checkout."""
    return read_claims(CLAIMS_FILE).by_id()
