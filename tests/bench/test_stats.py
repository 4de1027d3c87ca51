"""The statistics on a simulated clock: blocks with known truth under the kinds of noise that machines make."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import ttest_1samp

from bench.stats import Interval, at_least, holm, interval, p_beyond, replicate_log_ratio, trimmed, wanted_half_width

BLOCKS = 6
TRIALS = 3000
Rng = np.random.Generator
Clock = Callable[[Rng, int], NDArray[np.float64]]  # (trials, replicates, blocks, 2 arms) of log seconds


def normal(rng: Rng, replicates: int) -> NDArray[np.float64]:
    return rng.normal(0, 0.01, (TRIALS, replicates, BLOCKS, 2))


def spiky(rng: Rng, replicates: int) -> NDArray[np.float64]:
    shape = (TRIALS, replicates, BLOCKS, 2)
    return rng.normal(0, 0.01, shape) + (rng.random(shape) < 0.1) * rng.exponential(0.3, shape)


def drifting(rng: Rng, replicates: int) -> NDArray[np.float64]:
    """The machine gets 30 % slower over the run; the order within a block is random."""
    slow = np.linspace(0, 0.3, replicates * BLOCKS * 2).reshape(replicates, BLOCKS, 2)
    first = rng.random((TRIALS, replicates, BLOCKS, 1)) < 0.5
    return rng.normal(0, 0.01, (TRIALS, replicates, BLOCKS, 2)) + np.where(first, slow, slow[..., ::-1])


def autocorrelated(rng: Rng, replicates: int) -> NDArray[np.float64]:
    steps = replicates * BLOCKS * 2
    noise = rng.normal(0, 0.01, (TRIALS, steps))
    walk = np.empty_like(noise)
    walk[:, 0] = noise[:, 0] / math.sqrt(1 - 0.9**2)
    for i in range(1, steps):
        walk[:, i] = 0.9 * walk[:, i - 1] + noise[:, i]
    walk = walk.reshape(TRIALS, replicates, BLOCKS, 2)
    first = rng.random((TRIALS, replicates, BLOCKS, 1)) < 0.5
    return np.where(first, walk, walk[..., ::-1])


def offset_processes(rng: Rng, replicates: int) -> NDArray[np.float64]:
    """Every process is some percent slower or faster for all its life, as memory layout makes them."""
    return rng.normal(0, 0.01, (TRIALS, replicates, BLOCKS, 2)) + rng.normal(0, 0.02, (TRIALS, replicates, 1, 2))


CLOCKS: list[Clock] = [normal, spiky, drifting, autocorrelated, offset_processes]


def replicate_values(clock: Clock, rng: Rng, replicates: int, effect: float) -> NDArray[np.float64]:
    logs = clock(rng, replicates)
    return np.median(logs[..., 1] + effect - logs[..., 0], axis=-1)


def stopped_coverage(
    values: NDArray[np.float64], effect: float, looks: tuple[int, ...], stop: Callable[[Interval], bool]
) -> float:
    """The share of runs whose interval holds the truth, when ``stop`` ends them at a look."""
    held = 0
    for row in values:
        for look in looks:
            found = interval(row[:look])
            if look == looks[-1] or stop(found):
                held += found.low <= effect <= found.high
                break
    return held / len(values)


def narrow_enough(found: Interval) -> bool:
    return found.half_width <= wanted_half_width(found, 0.02)


def excludes_no_effect(found: Interval) -> bool:
    return found.low > 0 or found.high < 0


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("looks", [(12, 24), (4, 6, 12), (4, 6, 12, 24)])
@pytest.mark.parametrize("effect", [0.0, 0.05])
def test_interval_holds_the_truth_under_our_stopping_rule(clock: Clock, looks: tuple[int, ...], effect: float) -> None:
    """95 % nominal, held to within a point; the six-replicate look can only offer 96.9 %, which is over."""
    rng = np.random.default_rng(7)
    values = replicate_values(clock, rng, looks[-1], effect)
    sampling_error = 2 * math.sqrt(0.95 * 0.05 / TRIALS)
    assert stopped_coverage(values, effect, looks, narrow_enough) >= 0.94 - sampling_error


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("replicates", [12, 24, 48])
def test_interval_is_not_wider_than_it_claims(clock: Clock, replicates: int) -> None:
    rng = np.random.default_rng(8)
    values = replicate_values(clock, rng, replicates, 0.0)
    coverage = stopped_coverage(values, 0.0, (replicates,), narrow_enough)
    assert coverage + 2 * math.sqrt(0.95 * 0.05 / TRIALS) >= 0.94
    assert coverage <= 0.96 + 2 * math.sqrt(0.95 * 0.05 / TRIALS)


def test_replicates_of_one_server_hold_the_truth_only_as_one_value() -> None:
    """Twelve servers that differ by a percent, two replicates of each."""
    rng = np.random.default_rng(11)
    values = replicate_values(normal, rng, 24, 0.0) + np.repeat(rng.normal(0, 0.01, (TRIALS, 12)), 2, axis=1)
    by_server = values.reshape(TRIALS, 12, 2).mean(axis=2)
    error = 2 * math.sqrt(0.95 * 0.05 / TRIALS)
    assert stopped_coverage(by_server, 0.0, (12,), narrow_enough) >= 0.94 - error
    assert stopped_coverage(values, 0.0, (24,), narrow_enough) < 0.90


def test_a_rule_that_peeks_at_significance_is_caught() -> None:
    """Looking after every replicate and stopping at significance must lose far more than a point of coverage."""
    rng = np.random.default_rng(9)
    values = replicate_values(normal, rng, 48, 0.0)[:500]
    peeking = stopped_coverage(values, 0.0, tuple(range(6, 49)), excludes_no_effect)
    assert peeking < 0.85


def test_replicate_value_is_the_median_of_block_ratios() -> None:
    assert replicate_log_ratio([1.0, 1.0, 1.0], [2.0, 2.0, 50.0]) == pytest.approx(math.log(2))


def test_interval_of_identical_values_has_no_width() -> None:
    found = interval([0.25] * 5)
    assert (found.estimate, found.low, found.high, found.n) == (0.25, 0.25, 0.25, 5)


def test_interval_of_six_values_is_their_whole_range() -> None:
    """Only dropping no Walsh average reaches 95 % with six values: 1 - 2/64 = 96.9 %."""
    found = interval([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    assert (found.low, found.high) == (1.0, 6.0)
    assert found.estimate == pytest.approx(3.5)


def test_interval_of_twelve_values_drops_thirteen_walsh_averages_at_each_end() -> None:
    """The table of the signed-rank test gives the critical value 13 for n = 12 at 5 % two-sided."""
    values = np.random.default_rng(0).normal(size=12)
    walsh = sorted((values[i] + values[j]) / 2 for i in range(12) for j in range(i, 12))
    found = interval(values.tolist())
    assert (found.low, found.high) == (walsh[13], walsh[-14])


@pytest.mark.parametrize("values", [[1.0], []])
def test_interval_refuses_fewer_than_two_values(values: list[float]) -> None:
    with pytest.raises(ValueError, match="2 values or more"):
        interval(values)


def test_interval_refuses_values_that_are_not_finite() -> None:
    with pytest.raises(ValueError, match="finite"):
        interval([1.0, math.inf])


def test_holm_multiplies_by_what_is_left_and_never_falls() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_holm_of_nothing_is_nothing() -> None:
    assert holm([]) == []


def test_p_beyond_is_one_sided_and_away_from_zero() -> None:
    up = [0.10, 0.11, 0.09, 0.10, 0.12, 0.08]
    assert p_beyond(up, 0.02) < 0.001
    assert p_beyond([-v for v in up], -0.02) == pytest.approx(p_beyond(up, 0.02))
    assert p_beyond(up, 0.2) > 0.99


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("replicates", [6, 12])
def test_p_beyond_is_seldom_small_by_chance(clock: Clock, replicates: int) -> None:
    """At a level between the usual one and what is left of it after a correction for many claims."""
    values = replicate_values(clock, np.random.default_rng(10), replicates, 0.02)
    found = sum(p_beyond(v, 0.02) < 0.01 for v in values.tolist())
    assert found / TRIALS <= 0.01 + 2 * math.sqrt(0.01 * 0.99 / TRIALS)


def test_one_spike_among_twelve_values_does_not_hide_an_effect() -> None:
    steady = [0.10 + 0.002 * (i % 5) for i in range(12)]
    for spike in (5.0, -5.0):
        assert p_beyond([*steady[:-1], spike], 0.02) < 1e-6


def test_values_of_which_only_the_outermost_differ_are_not_called_certain() -> None:
    values = [3.0] * 10 + [0.0, 4.0]
    assert p_beyond(values, 0.5) == pytest.approx(3 * ttest_1samp(values, 0.5, alternative="greater").pvalue)


def test_a_trimmed_mean_leaves_out_a_fifth_at_each_end() -> None:
    found = trimmed([100.0, 1.0, 2.0, 3.0, -50.0])
    assert (found.mean, found.kept) == (2.0, 3)
    # 1, 1, 2, 3, 3 have squares of 4 about their mean, for 3 - 1 degrees of freedom.
    assert found.variance == pytest.approx(2.0)
    with pytest.raises(ValueError, match="2 values or more"):
        trimmed([1.0])


def test_identical_values_are_beyond_an_edge_or_not() -> None:
    assert p_beyond([0.5, 0.5], 0.02) == 0.0
    assert p_beyond([0.01, 0.01], 0.02) == 1.0


def around(estimate: float, n: int = 6) -> Interval:
    return Interval(estimate, estimate - 0.01, estimate + 0.01, n)


def test_wanted_width_is_half_the_zone_or_a_tenth_of_the_effect() -> None:
    assert wanted_half_width(around(0.0), 0.02) == pytest.approx(math.log(1.02) / 2)
    assert wanted_half_width(around(-math.log(3)), 0.02) == pytest.approx(math.log(3) / 10)


def test_wanted_width_near_a_promise_tells_whether_it_is_kept() -> None:
    assert wanted_half_width(around(-1.0), 0.02, promised=-1.09) == pytest.approx(0.03)
    assert wanted_half_width(around(-1.0), 0.02, promised=-2.0) == pytest.approx(0.1)
    assert wanted_half_width(around(-1.0), 0.02, promised=-1.0) == pytest.approx(math.log(1.02) / 2)


def test_few_values_have_to_be_twice_as_narrow() -> None:
    assert wanted_half_width(around(-1.0, n=4), 0.02) == wanted_half_width(around(-1.0), 0.02) / 2


# None of 300 answers changed: at 95 % confidence up to -ln(0.05)/300 = 3.0/300 of all may.
def test_a_share_is_known_no_finer_than_its_answers_allow() -> None:
    none_changed = at_least(interval([0.0, 0.0]), answers=300)
    assert (none_changed.low, none_changed.high) == pytest.approx((-0.009986, 0.009986), abs=1e-6)
    wide = interval([0.1, -0.1, 0.2])
    assert at_least(wide, answers=300) == wide
