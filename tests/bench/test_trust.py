"""How the tools are tallied; the measuring itself is a benchmark, not a test."""

import json
import math

import pytest

from bench import peers, trust
from bench.stats import Interval


def around(estimate: float, reach: float) -> Interval:
    return Interval(estimate, estimate - reach, estimate + reach, 12)


def test_a_tool_errs_only_beyond_the_zone_and_finds_only_beyond_it() -> None:
    tally = trust.Tally(
        identical=[around(0.0, 0.01), around(0.05, 0.01), around(-0.05, 0.01), around(0.05, 0.04)],
        planted=[around(0.05, 0.01), around(0.05, 0.04), around(-0.05, 0.01), around(0.0, 0.001)],
        seconds=[3.0, 4.0],
    )
    summary = tally.summary()
    assert (summary.n, summary.false_alarms, summary.planted_found) == (4, 2, 1)
    assert summary.p95_abs_log_ratio == pytest.approx(0.05)
    assert summary.seconds_per_comparison == 3.5


def test_figures_are_printed_beside_their_targets() -> None:
    ours = trust.Summary(100, 1, 0.005, 98, 3.2)
    told = trust.to_text({"ours": ours, "torch.utils.benchmark": trust.Summary(100, 30, 0.05, 60, 3.0)})
    assert "resolution: 10.0 times finer than torch.utils.benchmark (wanted: 5)" in told
    assert "identical work called different: 1.0 % (wanted: at most 1 %)" in told
    assert "planted +5 % found: 98.0 % (wanted: at least 95 %)" in told


def test_json_has_the_five_figures_of_every_tool() -> None:
    told = json.loads(trust.to_json({"ours": trust.Summary(2, 0, 0.001, 2, 3.0)}))
    assert told == {
        "ours": {
            "n": 2,
            "false_alarms": 0,
            "p95_abs_log_ratio": 0.001,
            "planted_found": 2,
            "seconds_per_comparison": 3.0,
        }
    }


def test_a_peers_samples_give_the_ratio_of_medians_with_an_interval() -> None:
    found = peers.log_ratio_of_medians(([1.0, 1.1, 0.9] * 20, [2.0, 2.2, 1.8] * 20), seed=0)
    assert found.estimate == pytest.approx(math.log(2))
    assert found.low <= found.estimate <= found.high


@pytest.mark.parametrize("peer", sorted(peers.PEERS))
def test_both_peers_really_measure_both_arms(peer: str) -> None:
    anti, recommended = peers.measure(peer, "planted-5-percent", 0.1)
    assert anti
    assert recommended
    assert all(s > 0 for s in anti + recommended)
