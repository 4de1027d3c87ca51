"""The curve from comparisons made on paper; the measuring itself is a benchmark, not a test."""

import math

import pytest

from bench.power import Spent, curve, read, to_csv, to_text


def spent(turn: int, low: float) -> list[Spent]:
    """A comparison whose interval starts at ``low`` when short, and half as far from 0 when four times as long."""
    return [Spent("ours", turn, 1.0, low, -low), Spent("ours", turn, 4.0, low / 2, -low / 2)]


# Beyond a zone of ln 1.02, an interval that starts 0.10 too low finds an effect of 0.10 + ln 1.02, 1.02 e^0.10 - 1.
def test_the_smallest_effect_is_what_the_widest_twentieth_needs() -> None:
    both = curve([s for turn in range(20) for s in spent(turn, -0.10)])
    assert [p.seconds for p in both] == [1.0, 4.0]
    assert [p.smallest for p in both] == pytest.approx([1.02 * math.exp(reach) - 1 for reach in (0.10, 0.05)])
    assert {p.n for p in both} == {20}


def test_one_wide_comparison_of_forty_is_within_the_five_percent() -> None:
    found = curve([s for turn in range(40) for s in spent(turn, -0.5 if turn == 0 else -0.01)])
    assert found[0].smallest == pytest.approx(1.02 * math.exp(0.01) - 1)


def test_it_is_written_read_and_told() -> None:
    kept = spent(0, -0.1) + spent(1, -0.1)
    assert read(to_csv(kept)) == kept
    assert "ours" in to_text(curve(kept))
