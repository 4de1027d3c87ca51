from __future__ import annotations

import pytest

from bench.stability import Series, Stability
from bench.verdict import Verdict
from report.stayed import stayed
from report.words import LANGS, words_of

YES, UNSURE, MISSING = Verdict.CONFIRMED, Verdict.UNCLEAR, Verdict.NOT_MEASURED
FOUND = (
    Stability("claim", "faster", "", True, False, False, (YES, YES, UNSURE)),
    Stability("claim", "only-cuda", "", False, False, False, (MISSING, MISSING, MISSING)),
    Stability("deciding", "t/faster[n=1]", "time", True, False, False, (YES, YES, YES)),
    Stability("deciding", "t/faster[n=2]", "time", True, False, False, (UNSURE, YES, UNSURE)),
    Stability("beside", "t/faster[n=3]", "time", True, False, False, (UNSURE, YES, UNSURE)),
    Stability("beside", "t/faster[n=3]", "copies", False, True, True, (YES, YES, YES)),
)


def test_the_sentence_has_every_share_and_the_rows_what_moved() -> None:
    found = stayed(Series("box", 0, FOUND), words_of("en"))
    assert found.sentence.startswith("3 runs of everything on box: 66.7 % of the claims' verdicts")
    assert "83.3 % of the verdicts on time at the points that decide, and 66.7 %" in found.sentence
    assert "of 1 exact metrics 1 had another value" in found.sentence
    assert [(r.name, r.told, r.stayed) for r in found.rows] == [
        ("faster", "CONFIRMED ×2, UNCLEAR ×1", "2/3"),
        ("t/faster[n=2] time", "UNCLEAR ×2, CONFIRMED ×1", "2/3"),
    ]


@pytest.mark.parametrize("lang", LANGS)
def test_a_load_is_told(lang: str) -> None:
    words = words_of("zh" if lang == "zh" else "en")
    assert words.stayed_load.format(n=2) in stayed(Series("box", 2, FOUND), words).sentence
