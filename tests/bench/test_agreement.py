"""Which points are chosen, when two ratios agree, and that pyperf really runs an arm."""

import math
from pathlib import Path

import pytest

from bench import agreement, controls, peer_pyperf
from bench.collect import SUITES, load_pairs
from bench.stats import Interval


def around(ratio: float, reach: float) -> Interval:
    centre = math.log(ratio)
    return Interval(centre, centre - reach, centre + reach, 8)


@pytest.mark.parametrize(("theirs", "agrees"), [(1.01, True), (1.2, False)])
def test_ratios_agree_that_overlap_or_differ_by_nothing_that_matters(theirs: float, agrees: bool) -> None:
    assert agreement.Agreement("one", around(1.0, 0.001), around(theirs, 0.001)).agrees() is agrees
    assert agreement.Agreement("one", around(1.0, 0.2), around(theirs, 0.001)).agrees()


def test_what_disagrees_is_said() -> None:
    found = [
        agreement.Agreement("one", around(1.0, 0.01), around(1.0, 0.01)),
        agreement.Agreement("two", around(1.0, 0.01), around(2.0, 0.01)),
    ]
    told = agreement.to_text(found).splitlines()
    assert "DISAGREES" not in told[1]
    assert "DISAGREES  two" in told[2]
    assert told[-1] == "1 of 2 agree"


def test_the_choice_is_spread_over_what_can_be_timed_on_one_core() -> None:
    files = [SUITES / "tensors" / "reshape_copies.py", SUITES / "tensors" / "strided_access.py"]
    declared = [d for f in files for d in load_pairs(f)]
    assert [d.id for d, _ in agreement.choose(declared, 2)] == ["tensors/reshape-copies", "tensors/strided-access"]
    assert len(agreement.choose(declared, 1)) == 1


def test_welch_knows_two_sets_of_one_ratio() -> None:
    found = agreement.log_ratio([1.0, 1.1, 0.9, 1.0], [2.0, 2.2, 1.8, 2.0])
    assert found.estimate == pytest.approx(math.log(2))
    assert found.low < found.estimate < found.high


def test_pyperf_that_cannot_build_the_arm_says_so() -> None:
    pytest.importorskip("pyperf")
    declared = load_pairs(Path(controls.__file__))[0]
    with pytest.raises(RuntimeError, match="KeyError: 'no_such_arm'"):
        peer_pyperf.seconds_by_process(declared, None, "no_such_arm", core=0, seed=0)
