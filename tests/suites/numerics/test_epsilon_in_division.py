import math
from pathlib import Path

import pytest

from suites.numerics import epsilon_in_division
from tests.suites.points import metrics

FINITE, LARGEST = "finite share of the gradient", "largest gradient"


# 0/0 is NaN, and so is the centre's whole gradient, which sums over the samples. With eps it is 0 / 1e-8 = 0.
def test_eps_mends_an_empty_mean(tmp_path: Path) -> None:
    found = metrics(epsilon_in_division.PAIR, tmp_path, "masked-mean")
    assert found[FINITE] == {"anti_pattern": 0, "recommended": 1, "eps_inside_the_root": 1}
    assert found[LARGEST]["recommended"] < 1e3


# At z = 0 the slope of z / (|z| + eps) is 1 / eps = 1e8, that of z / sqrt(z z + eps) is 1 / sqrt(eps) = 1e4; the
# seven other samples add a few units.
def test_eps_makes_a_norm_of_zero_finite_but_large(tmp_path: Path) -> None:
    found = metrics(epsilon_in_division.PAIR, tmp_path, "norm")
    assert found[FINITE] == {"anti_pattern": 0, "recommended": 1, "eps_inside_the_root": 1}
    assert found[LARGEST]["recommended"] == pytest.approx(1e8, rel=1e-3)
    assert found[LARGEST]["eps_inside_the_root"] == pytest.approx(1e4, rel=1e-2)


# The root's slope at 0 is infinite, and infinity times the 0 that flows back is NaN, whatever is added afterwards.
def test_eps_outside_a_root_does_not_help(tmp_path: Path) -> None:
    found = metrics(epsilon_in_division.PAIR, tmp_path, "root")
    assert found[FINITE] == {"anti_pattern": 0, "recommended": 0, "eps_inside_the_root": 1}
    assert math.isnan(found[LARGEST]["recommended"])


# The smallest number that half precision knows is 6e-8, so 1e-8 is added as 0.
def test_eps_is_nothing_in_half_precision(tmp_path: Path) -> None:
    found = metrics(epsilon_in_division.PAIR, tmp_path, "half-precision")
    assert found[FINITE]["recommended"] == 0


def test_eps_changes_nothing_where_no_denominator_is_zero(tmp_path: Path) -> None:
    found = metrics(epsilon_in_division.PAIR, tmp_path, "never-zero")
    assert set(found[FINITE].values()) == {1}
    assert found[LARGEST]["recommended"] == pytest.approx(found[LARGEST]["anti_pattern"], rel=1e-4)
