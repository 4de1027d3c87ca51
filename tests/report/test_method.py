from __future__ import annotations

from pathlib import Path

import pytest

from bench import power, stability
from bench.power import Spent
from bench.stability import Series, Stability
from bench.verdict import Verdict
from report.method import Method, method_of

SERIES = Series("box", 1, (Stability("claim", "one", "", True, False, False, (Verdict.CONFIRMED, Verdict.UNCLEAR)),))


@pytest.fixture
def results(tmp_path: Path) -> Path:
    spent = [Spent(tool, turn, 2.0, -0.01, 0.01) for tool in ("ours", "other") for turn in range(3)]
    (tmp_path / "trust").mkdir()
    (tmp_path / "trust" / "power.csv").write_text(power.to_csv(spent))
    (tmp_path / "trust" / "suite.csv").write_text(stability.to_csv(SERIES))
    (tmp_path / "trust" / "suite-noisy.csv").write_text(stability.to_csv(SERIES))
    return tmp_path


def test_what_trust_wrote_is_read(results: Path) -> None:
    found = method_of(results)
    # An interval from -1 % finds what lies 2 % above: 1.02 e^0.01 - 1 = 3.0 %.
    assert [(p.tool, round(p.smallest, 3), p.n) for p in found.power] == [("ours", 0.03, 3), ("other", 0.03, 3)]
    assert found.series == (SERIES, SERIES)


def test_without_the_files_nothing_is_known(tmp_path: Path) -> None:
    assert method_of(tmp_path) == Method()


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("power.csv", "tool,turn,seconds,low,high\nours,0,nan,1,2\n", r"power\.csv is not what .* --power 40"),
        ("suite.csv", "machine,load\nbox,1\n", r"suite\.csv is not what .* --suite 5"),
    ],
)
def test_a_file_of_something_else_is_named(results: Path, name: str, text: str, told: str) -> None:
    (results / "trust" / name).write_text(text)
    with pytest.raises(ValueError, match=told):
        method_of(results)
