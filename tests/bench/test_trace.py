"""A curve that a step returns comes back as it was, one per arm and seed; one that does not fit is named."""

import pytest
from pydantic import ValidationError

from bench.results import PointRecord, Traces
from tests.bench.conftest import MeasurePair

PAIR = """
    def curve(x):
        return lambda: {"at": [1, 2, 3], "seen": [0.5, 0.75, float("nan")]}
    def other(x):
        return lambda: {"at": %s, "seen": %s}
    PAIR = pair(other, anti_pattern=curve, same=may_differ("the curve", because="it is shown"), metrics=(
        accuracy(lambda r: r["seen"][0]),), traces=(Trace("seen", "steps", "share", lambda r: (r["at"], r["seen"])),))
"""


def test_a_curve_is_kept_for_every_arm_and_seed(measure: MeasurePair) -> None:
    record = measure(PAIR % ([1, 2, 3], [0.123456, 1, 2]))
    assert record.status == "measured"
    traces = record.traces["seen"]
    assert (traces.x_name, traces.unit, traces.x) == ("steps", "share", [1, 2, 3])
    # Two seeds at the smoke profile; what is no number is none, and four digits are enough to draw.
    assert traces.by_arm == {"anti_pattern": [[0.5, 0.75, None]] * 2, "recommended": [[0.1235, 1, 2]] * 2}
    assert PointRecord.model_validate_json(record.model_dump_json()).traces == record.traces


@pytest.mark.parametrize(("at", "seen"), [([1, 2, 4], [0, 0, 0]), ([1, 2, 3], [0, 0])])
def test_a_curve_that_was_looked_at_elsewhere_is_named(measure: MeasurePair, at: list[int], seen: list[int]) -> None:
    record = measure(PAIR % (at, seen))
    assert record.status == "broken"
    assert "the trace 'seen' of recommended" in (record.reason or "")


def test_a_document_whose_curves_have_other_lengths_is_refused() -> None:
    with pytest.raises(ValidationError, match="does not have the 2 values of its x"):
        Traces(x_name="steps", unit="", x=[1, 2], by_arm={"recommended": [[1.0]]})
