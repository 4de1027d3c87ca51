from __future__ import annotations

from pathlib import Path

import pytest

from bench.power import Spent, to_csv
from report.power import FILE, chart, power_of
from report.words import words_of


@pytest.fixture
def results(tmp_path: Path) -> Path:
    spent = [Spent(tool, turn, 2.0, -0.01, 0.01) for tool in ("ours", "other") for turn in range(3)]
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_text(to_csv(spent))
    return tmp_path


def test_the_chart_tells_every_mark_in_words(results: Path) -> None:
    svg = chart(power_of(results), words_of("en"))
    # An interval from -1 % finds what lies 2 % above: 1.02 e^0.01 - 1 = 3.0 %.
    assert "ours, 2.0 s: +3.0 % (n = 3); other, 2.0 s: +3.0 % (n = 3)" in svg
    assert svg == chart(power_of(results), words_of("en"))


def test_without_the_file_there_is_no_chart(tmp_path: Path) -> None:
    assert power_of(tmp_path) == []
    assert chart([], words_of("en")) == ""


def test_a_file_of_something_else_is_named(results: Path) -> None:
    (results / FILE).write_text("tool,turn,seconds,low,high\nours,0,nan,1,2\n")
    with pytest.raises(ValueError, match=r"power\.csv is not what"):
        power_of(results)
