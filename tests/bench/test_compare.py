"""Two runs compared: unchanged ones stay silent however noisy, a planted slowdown is found and named."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.random import Generator

from bench.claims import read_claims
from bench.collect import CLAIMS_FILE
from bench.compare import (
    ENOUGH,
    ERROR,
    Comparison,
    IncomparableError,
    Move,
    compare,
    exit_code,
    move_between,
    run_to_run,
)
from bench.compare_lines import lines
from bench.results import Environment, PointRecord, Replicate, Run, Timing, read_run
from bench.stats import holm
from bench.store import RESULTS
from tests.bench.runs import controls, make_run, timed

ZONE = math.log1p(0.02)
# The number and the spread of the timed comparisons of a whole run, as the committed ones have them.
PAIRS = 118
TYPICAL_SD = 0.03
COMMITTED = ("20261130T103430-39ad7981ed", "20261130T112347-7156f7dd58")


def noisy_pair(random: Generator, between: float) -> tuple[list[float], list[float]]:
    """A pair in two runs of the same code: replicates with spikes, and a run of its own ``between`` replicates' sd."""
    sd = TYPICAL_SD * math.exp(0.8 * random.standard_normal())
    n = int(random.choice([4, 6, 12, 24]))

    def one_run() -> list[float]:
        own = between * sd * random.standard_normal()
        spikes = np.where(random.random(n) < 0.05, random.exponential(5 * sd, n), 0.0)
        return list(0.3 + own + sd * random.standard_normal(n) + spikes)

    return one_run(), one_run()


def fails_the_guard(moves: list[Move]) -> bool:
    """Whether a comparison of two runs with these moves, up being worse, says that advice lost."""
    widened = run_to_run(moves)
    adjusted = holm([m.p_value(widened) for m in moves])
    return any(p < ERROR and m.gap > 0 for m, p in zip(moves, adjusted, strict=True))


@pytest.mark.parametrize("between", [0.0, 0.7])
def test_unchanged_runs_are_silent_ninety_nine_times_in_a_hundred(between: float) -> None:
    random = np.random.default_rng(int(10 * between))
    comparisons = 200
    loud = sum(
        fails_the_guard([move_between(*noisy_pair(random, between), ZONE, inexact=True) for _ in range(PAIRS)])
        for _ in range(comparisons)
    )
    assert loud <= comparisons // 100


def test_runs_that_differ_throughout_widen_every_interval() -> None:
    random = np.random.default_rng(5)
    runs = [[move_between(*noisy_pair(random, 2.0), ZONE, inexact=True) for _ in range(PAIRS)] for _ in range(40)]
    assert all(1.5 < run_to_run(moves) < 4.0 for moves in runs)
    unwidened = sum(min(holm([m.p_value(1.0) for m in moves])) < ERROR for moves in runs)
    assert sum(map(fails_the_guard, runs)) <= 2 < unwidened


def test_a_planted_ten_percent_is_found_among_a_whole_runs_pairs() -> None:
    random = np.random.default_rng(7)
    found = 0
    for _ in range(50):
        moves = [move_between(*noisy_pair(random, 0.7), ZONE, inexact=True) for _ in range(PAIRS)]
        quiet = [list(v + 0.01 * random.standard_normal(12)) for v in (0.3, 0.3 + math.log(1.1))]
        moves.append(move_between(quiet[0], quiet[1], ZONE, inexact=True))
        widened = run_to_run(moves)
        found += holm([m.p_value(widened) for m in moves])[-1] < ERROR
    assert found >= 40


def test_values_that_chance_cannot_move_are_certain() -> None:
    assert move_between([0.5] * 5, [0.5] * 5, ZONE, inexact=False).p_value(1.0) == 1.0
    assert move_between([0.5] * 5, [0.6] * 5, ZONE, inexact=False).p_value(1.0) == 0.0
    # One odd value of twelve is trimmed, and what is left is not taken for certain.
    assert not move_between([0.5] * 11 + [0.9], [0.6] * 12, ZONE, inexact=True).certain


def test_few_comparisons_do_not_tell_how_far_runs_differ() -> None:
    moves = [Move(gap=1.0, scale=0.1, df=10.0, n=12, zone=ZONE, inexact=True)] * ENOUGH
    assert run_to_run(moves[1:]) == 1.0
    assert run_to_run(moves) == pytest.approx(14.3, abs=0.1)


@pytest.fixture(scope="module")
def committed() -> list[Run]:
    """Two runs of the whole suite on one machine, an hour apart."""
    return [read_run(RESULTS / "amd-epyc-2-cores" / name / "run.json") for name in COMMITTED]


def compared(base: Run, new: Run) -> Comparison:
    return compare(base, new, read_claims(CLAIMS_FILE))


def test_two_real_runs_of_one_machine_are_unchanged(committed: list[Run]) -> None:
    found = compared(*committed)
    assert len(found.shifts) > 400
    assert found.changed == ()
    assert exit_code(found, "verdict") == exit_code(found, "regression") == 0
    assert "unchanged, none of " in next(lines(found))


def test_a_slowdown_planted_into_a_real_run_is_found_and_named(committed: list[Run]) -> None:
    base, _ = committed
    # The control that knows of 5 % extra work has a pair's noise without a pair's surprises.
    (steady,) = [p for p in base.points if p.id == "bench/planted-5-percent" and p.turn == ":before"]
    pair = steady.model_copy(
        update={"role": "pair", "turn": "", "pair": "tensors/steady", "claims": ["reshape-copies"]}
    )
    before = base.model_copy(update={"points": [*base.points, pair]})
    after = base.model_copy(update={"points": [*base.points, slower(pair, "recommended", 1.1)]})
    found = compared(before, after)
    (shift,) = found.changed
    assert (shift.point, shift.moved, shift.worse) == ("tensors/steady", "recommended", True)
    assert exit_code(found, "regression") == 1
    assert exit_code(compared(after, before), "regression") == 0


def slower(record: PointRecord, arm: str, factor: float) -> PointRecord:
    assert record.timing is not None
    replicates = [
        Replicate(**{**vars(r), "host": {a: [s * (factor if a == arm else 1) for s in v] for a, v in r.host.items()}})
        for r in record.timing.replicates
    ]
    return record.model_copy(update={"timing": Timing(**{**vars(record.timing), "replicates": replicates})})


def pairs(**ratios: float) -> list[PointRecord]:
    return [*controls(), *(timed(r, f"tensors/{name}", ["reshape-copies"]) for name, r in ratios.items())]


def test_what_differs_around_the_runs_comes_first_and_then_no_arm_is_named() -> None:
    base = make_run(pairs(one=0.5, two=0.8))
    new = make_run(pairs(one=0.5, two=0.9)).model_copy(
        update={"id": "20260102T000000-abc", "environment": Environment(python="3.11", torch="2.15.0")}
    )
    found = compared(base, new)
    told = list(lines(found))
    assert told[0].startswith("20260101T000000-abc against 20260102T000000-abc: 1 of 2 measurements moved beyond noise")
    assert told[1] == "not the same: environment torch was 2.14.1, is 2.15.0"
    assert told[2].startswith("tensors/two time: 12.")
    assert found.changed[0].arms == {}


def test_runs_that_say_nothing_of_each_other_are_refused_with_the_reason() -> None:
    good = make_run(pairs(one=0.5))
    with pytest.raises(IncomparableError, match="the controls of 20260101T000000-abc failed"):
        compared(good, make_run([*controls(same=1.2), timed(0.5)]))
    with pytest.raises(IncomparableError, match="ran on cpu, 20260101T000000-abc on cuda"):
        compared(good, good.model_copy(update={"device": "cuda"}))


def test_points_that_only_one_run_has_are_named_unless_it_was_a_selection() -> None:
    base, new = make_run(pairs(one=0.5, two=0.8)), make_run(pairs(one=0.5))
    assert (compared(base, new).missing, compared(base, new).added) == (("tensors/two",), ())
    assert compared(new, base).added == ("tensors/two",)
    assert compared(base, new.model_copy(update={"partial": True})).missing == ()
