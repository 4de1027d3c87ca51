"""Changes between arms, derived from raw samples on paper."""

import math

import pytest

from bench.changes import changes_of
from bench.results import MetricInfo, Values
from tests.bench.runs import ARMS, TIME, timed

RATE = MetricInfo(
    name="samples per second",
    kind="throughput",
    unit="1/s",
    better="higher",
    comparison="ratio",
    zone=0.02,
    per_step=True,
)


# Twice the samples in three quarters of the time: 2 / 0.75 times as many per second.
def test_a_rate_is_the_amount_of_a_step_over_its_time() -> None:
    amounts = Values(by_arm={"anti_pattern": [100.0] * 5, "recommended": [200.0] * 5})
    record = timed(0.75, spread=0.0, metrics=[TIME, RATE], values={RATE.name: amounts})
    changes, levels = changes_of(record, RATE, "recommended", "anti_pattern")
    assert changes == pytest.approx([math.log(2 / 0.75)] * 12)
    assert levels == pytest.approx((100 / 0.001, 200 / 0.00075))


def test_a_rate_without_amounts_has_no_value() -> None:
    assert changes_of(timed(0.5, metrics=[RATE]), RATE, "recommended", "anti_pattern") == ([], None)


def test_any_arm_may_be_the_base() -> None:
    changes, _ = changes_of(timed(0.5, spread=0.0), TIME, ARMS[0], ARMS[1])
    assert changes == pytest.approx([math.log(2)] * 12)


def test_replicates_of_one_fork_server_are_one_value() -> None:
    record = timed(0.5, spread=0.0)
    assert record.timing is not None
    for i, replicate in enumerate(record.timing.replicates):
        replicate.server = i % 3
        replicate.host = {ARMS[0]: [1.0] * 6, ARMS[1]: [math.exp(i)] * 6}
    changes, _ = changes_of(record, TIME, ARMS[1], ARMS[0])
    assert changes == pytest.approx([(0 + 3 + 6 + 9) / 4, (1 + 4 + 7 + 10) / 4, (2 + 5 + 8 + 11) / 4])
