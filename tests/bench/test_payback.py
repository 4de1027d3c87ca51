"""After n steps an arm has taken first + (n - 1) * step; the advice is ahead from the first n where it is less."""

import pytest

from bench.payback import pay_back
from bench.results import MetricInfo, Replicate, Timing
from tests.bench.runs import TIME, timed

FIRST = MetricInfo(name="first step", kind="first_step", unit="s", better="lower", comparison="ratio", zone=0.1)


def steps(first: tuple[float, float], later: tuple[float, float]) -> int | None:
    arms = ["anti_pattern", "recommended"]
    replicate = Replicate(
        first=dict(zip(arms, first, strict=True)), host={a: [s] * 3 for a, s in zip(arms, later, strict=True)}
    )
    record = timed(1.0, metrics=[TIME, FIRST], timing=Timing(inner=1, replicates=[replicate] * 3))
    found = pay_back(record)
    assert found is not None
    return found.steps


# 24.5 s more at first, 0.25 s less at each further step: even after 98 further ones, so ahead from the 100th step on.
@pytest.mark.parametrize(
    ("first", "later", "wanted"),
    [
        ((0.5, 25.0), (0.5, 0.25), 100),
        ((1.0, 1.0), (2.0, 1.0), 2),
        ((1.0, 0.5), (2.0, 1.0), 1),
        ((1.0, 2.0), (1.0, 1.0), None),
        ((1.0, 2.0), (1.0, 1.5), None),
    ],
)
def test_steps_until_it_has_paid(first: tuple[float, float], later: tuple[float, float], wanted: int | None) -> None:
    found = steps(first, later)
    assert found == wanted
    if wanted is not None:
        ahead = [n for n in range(1, 200) if first[1] + (n - 1) * later[1] < first[0] + (n - 1) * later[0]]
        assert ahead[0] == wanted


def test_a_pair_that_does_not_compare_first_steps_has_none() -> None:
    assert pay_back(timed(0.5)) is None
