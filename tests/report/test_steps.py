"""Steps on made-up series with known truth: found where they are, and next to never where there is none."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from bench.verdict import Verdict
from report.steps import Floats, Series, inflation, settled, steps_of, verdict_changes

ZONE = np.log1p(0.02)
PAIRS = 100
YES, NO, HARM = Verdict.CONFIRMED, Verdict.NO_EFFECT, Verdict.BACKFIRES
UNSURE, ABSENT = Verdict.UNCLEAR, Verdict.NOT_MEASURED
Rng = np.random.Generator
Noise = Callable[[Rng, int], Floats]


def normal(rng: Rng, runs: int) -> Floats:
    return rng.normal(size=runs)


def heavy(rng: Rng, runs: int) -> Floats:
    return rng.standard_t(4, runs)


def with_odd_nights(rng: Rng, runs: int) -> Floats:
    return rng.normal(size=runs) + (rng.random(runs) < 0.02) * rng.normal(0, 30, runs)


def drifting(rng: Rng, runs: int) -> Floats:
    noise = rng.normal(size=runs)
    for i in range(1, runs):
        noise[i] = 0.3 * noise[i - 1] + 0.95 * noise[i]
    return noise


def unchanged(rng: Rng, runs: int, noise: Noise, pairs: int = PAIRS) -> list[Series]:
    """Pairs none of which changes, with noise beyond its intervals and odd verdicts."""
    found = []
    for _ in range(pairs):
        error = np.exp(rng.normal(np.log(0.006), 0.8))
        beyond = np.exp(rng.normal(0.3, 0.5))
        errors = error * np.exp(rng.normal(0, 0.2, runs))
        verdicts = tuple(rng.choice([YES, NO, UNSURE], runs, p=[0.7, 0.1, 0.2]))
        found.append(Series(-0.3 + error * beyond * noise(rng, runs), errors, verdicts, ZONE))
    return found


def one(values: list[float], error: float = 0.003, verdicts: list[Verdict] | None = None) -> Series:
    return Series(np.array(values), np.full(len(values), error), tuple(verdicts or [YES] * len(values)), ZONE)


def places(series: Series, tests: int = PAIRS) -> list[int]:
    return [step.at for step in steps_of(series, 1.0, tests)]


@pytest.mark.parametrize("noise", [normal, heavy, with_odd_nights, drifting])
@pytest.mark.parametrize("runs", [4, 6, 10, 40])
def test_unchanged_pairs_report_next_to_nothing(noise: Noise, runs: int) -> None:
    rng = np.random.default_rng(runs)
    found = 0
    for _ in range(5):
        pairs = unchanged(rng, runs, noise)
        inflated = inflation(pairs)
        found += sum(len(steps_of(pair, inflated, PAIRS)) for pair in pairs)
    assert found <= 1


@pytest.mark.parametrize(("runs", "at"), [(6, 3), (12, 9), (40, 37), (40, 20)])
def test_most_planted_steps_are_found_where_they_are(runs: int, at: int) -> None:
    rng = np.random.default_rng(1)
    pairs = unchanged(rng, runs, normal)
    for pair in pairs[:20]:
        pair.values[at:] += 0.2
    inflated = inflation(pairs)
    found = [[step.at for step in steps_of(pair, inflated, PAIRS)] for pair in pairs]
    assert sum(at in steps for steps in found[:20]) >= 14
    assert sum(map(len, found[20:])) <= 1


def test_a_step_has_both_levels_and_where_they_end() -> None:
    rng = np.random.default_rng(0)
    values = np.concatenate([rng.normal(0, 0.002, 8), rng.normal(0.1, 0.002, 8), rng.normal(0.4, 0.002, 8)])
    first, second = steps_of(one(values.tolist()), 1.0, PAIRS)
    assert (first.begin, first.at, first.end) == (0, 8, 16)
    assert (second.begin, second.at, second.end) == (8, 16, 24)
    for level, truth in ((first.before, 0.0), (first.after, 0.1), (second.after, 0.4)):
        assert level[1] < truth < level[2]
        assert level[0] == pytest.approx(truth, abs=0.002)


def test_a_single_odd_run_is_no_step_and_hides_none() -> None:
    quiet = [0.001, -0.001] * 5
    assert places(one([*quiet, 0.5, *quiet])) == []
    assert places(one([*quiet, 0.5, *quiet, *(v + 0.1 for v in quiet)])) == [21]
    assert places(one([*quiet, 0.5])) == []


def test_two_odd_runs_in_turn_are_no_step_either() -> None:
    quiet = [0.001, -0.001] * 5
    excursion = one([*quiet, 0.5, 0.5, *quiet], verdicts=[YES] * 10 + [NO] * 2 + [YES] * 10)
    assert places(excursion) == []


def test_a_step_within_what_is_no_difference_is_none() -> None:
    assert places(one([0.0001, -0.0001] * 10 + [0.0151, 0.0149] * 10, error=0.0001)) == []


def test_three_runs_a_side_or_two_where_the_verdict_changed() -> None:
    quiet = [0.001, -0.001] * 5
    higher = [0.2, 0.201]
    assert places(one(quiet + higher)) == []
    assert places(one(quiet + higher, verdicts=[YES] * 10 + [NO] * 2)) == [10]
    assert places(one(quiet + higher, verdicts=[YES] * 10 + [NO, UNSURE])) == []
    assert places(one([*quiet, *higher, 0.199])) == [10]


def test_exact_values_need_no_noise() -> None:
    assert places(one([-0.5] * 3 + [-0.2] * 3, error=0.0)) == [3]
    assert places(one([-0.5] * 6, error=0.0)) == []


def test_a_run_with_a_wide_interval_counts_for_less() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(0, 0.003, 24)
    values[12:15] += 0.1
    errors = np.full(24, 0.003)
    assert places(Series(values, errors, (YES,) * 24, ZONE)) == [12, 15]
    errors[12:15] = 0.06
    assert places(Series(values, errors, (YES,) * 24, ZONE)) == []


@pytest.mark.parametrize(
    ("verdicts", "wanted"),
    [
        ([YES, YES, NO, NO], [2]),
        ([YES, YES, NO, YES, YES], []),
        ([YES, YES, UNSURE, NO, UNSURE, NO], [3]),
        ([YES, NO, YES, NO], []),
        ([YES, YES, HARM, NO, NO, YES, YES], [3, 5]),
        ([UNSURE] * 4, []),
        ([YES], []),
    ],
)
def test_a_verdict_has_changed_when_two_runs_in_turn_say_so(verdicts: list[Verdict], wanted: list[int]) -> None:
    assert verdict_changes(verdicts) == wanted


def test_what_is_settled() -> None:
    assert settled([UNSURE, YES, ABSENT, YES, NO]) is YES
    assert settled([YES, NO, NO]) is None
    assert settled([YES, UNSURE]) is None
    assert settled([]) is None
