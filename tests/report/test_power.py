from __future__ import annotations

from bench.power import Power
from report.power import chart
from report.words import words_of

POWERS = [Power(tool, 2.0, 0.03, 3) for tool in ("ours", "other")]


def test_the_chart_tells_every_mark_in_words() -> None:
    svg = chart(POWERS, words_of("en"))
    assert "ours, 2.0 s: +3.0 % (n = 3); other, 2.0 s: +3.0 % (n = 3)" in svg
    assert svg == chart(POWERS, words_of("en"))


def test_without_tries_there_is_no_chart() -> None:
    assert chart([], words_of("en")) == ""
