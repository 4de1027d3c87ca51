from __future__ import annotations

import pytest

from bench.claims import Claims
from bench.results import Run
from report.advice import Advice, advice_of
from report.view import look


@pytest.fixture(scope="module")
def advice(run: Run, claims: Claims) -> Advice:
    return advice_of(look(run, claims).claims)


def test_gains_come_first_by_what_is_sure_of_them(advice: Advice) -> None:
    assert [tip.claim.id for tip in advice.first] == ["reshape-copies", "checkpoint-memory", "amp-faster"]
    sure = [tip.judgement.gain[1] for tip in advice.first if tip.judgement.gain]
    assert sure == sorted(sure, reverse=True)
    assert advice.first[0].judgement.where == "rows=4096"


def test_every_list_has_its_own(advice: Advice) -> None:
    assert [tip.claim.id for tip in advice.needed] == ["smoothing-accuracy", "second-backward"]
    assert [tip.claim.id for tip in advice.no_effect] == ["set-to-none"]
    assert [tip.claim.id for tip in advice.backfires] == ["more-workers"]
