from __future__ import annotations

import math

import pytest

from bench.results import MetricInfo
from bench.stats import Interval
from report.numbers import change_of, duration, fixed, gain_of, level, three
from report.words import words_of

EN = words_of("en")


def metric(kind: str, unit: str, comparison: str = "ratio", better: str = "lower") -> MetricInfo:
    name = kind.replace("_", " ")
    return MetricInfo.model_validate(
        {"name": name, "kind": kind, "unit": unit, "better": better, "comparison": comparison, "zone": 0.02}
    )


def ratio(estimate: float, low: float, high: float) -> Interval:
    return Interval(math.log(estimate), math.log(low), math.log(high), 12)


TIME, PEAK = metric("time", "s"), metric("peak_memory", "B")
ACCURACY = metric("accuracy", "share", "difference", "higher")
LOSS = metric("loss", "nat", "difference")
RATE = metric("throughput", "items/s", better="higher")


@pytest.mark.parametrize(
    ("interval", "info", "text", "direction"),
    [
        (ratio(0.7, 0.68, 0.72), TIME, "1.43× faster [1.39, 1.47]", "better"),
        (ratio(1.3, 1.25, 1.35), TIME, "1.30× slower [1.25, 1.35]", "worse"),
        (ratio(1.0, 0.995, 1.005), TIME, "1.000× as fast [0.995, 1.005]", "even"),
        (ratio(0.99, 0.93, 1.05), TIME, "1.01× faster [0.95, 1.08]", "better"),
        (ratio(0.69, 0.685, 0.70), PEAK, "−31.0 % peak memory [−31.5, −30.0]", "better"),
        (ratio(1.5, 1.3, 1.7), PEAK, "+50 % peak memory [+30, +70]", "worse"),
        (ratio(20, 19, 21), PEAK, "20× as much peak memory [19, 21]", "worse"),
        (ratio(0.001, 0.0009, 0.0011), PEAK, "1000× less peak memory [909, 1111]", "better"),
        (ratio(1.2, 1.1, 1.3), RATE, "1.2× higher throughput [1.1, 1.3]", "better"),
        (ratio(0.8, 0.78, 0.82), RATE, "1.25× lower throughput [1.22, 1.28]", "worse"),
        (Interval(0.012, 0.008, 0.016, 5), ACCURACY, "+1.2 points of accuracy [+0.8, +1.6]", "better"),
        (Interval(-0.5, -0.6, -0.4, 5), LOSS, "loss −0.5 nat [−0.6, −0.4]", "better"),
        (Interval(0.0, 0.0, 0.0, 5), LOSS, "loss 0 nat [0, 0]", "even"),
    ],
)
def test_the_words_say_which_way_it_went(interval: Interval, info: MetricInfo, text: str, direction: str) -> None:
    change = change_of(interval, info, EN)
    assert (change.text, change.direction) == (text, direction)


def test_chinese_has_its_own_order_of_words() -> None:
    assert change_of(ratio(0.7, 0.68, 0.72), TIME, words_of("zh")).text == "快 1.43× [1.39, 1.47]"


@pytest.mark.parametrize("info", [TIME, RATE])
def test_a_gain_is_above_one_when_it_is_better(info: MetricInfo) -> None:
    better = ratio(0.5, 0.4, 0.6) if info.better == "lower" else ratio(2, 1.8, 2.2)
    gain = gain_of(better, info)
    assert gain is not None
    assert 1 < gain[1] < gain[0] < gain[2]
    assert gain_of(better, LOSS) is None


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e308, -1e308, 5e-324, 800.0, -800.0])
@pytest.mark.parametrize("info", [TIME, PEAK, ACCURACY, LOSS, RATE])
def test_no_number_breaks_the_formatting(bad: float, info: MetricInfo) -> None:
    assert change_of(Interval(bad, bad, bad, 2), info, EN).text
    assert change_of(Interval(0.0, -abs(bad), abs(bad), 2), info, EN).text
    assert level(bad, info.unit)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (81.2e-6, "s", "81.2 µs"),
        (0.0123, "s", "12.3 ms"),
        (3.2e-9, "s", "3.2 ns"),
        (138 * 2**20, "B", "138 MiB"),
        (0, "B", "0 B"),
        (0.931, "share", "93.1 %"),
        (12, "", "12"),
        (-2.5, "nat", "−2.5 nat"),
    ],
)
def test_levels_have_human_units(value: float, unit: str, text: str) -> None:
    assert level(value, unit) == text


def test_short_numbers() -> None:
    assert [three(v) for v in (1234.5, 0.12345, -1e9, math.nan)] == ["1234", "0.123", "−1e+09", "NaN"]
    assert [fixed(-0.001, 1, signed=True), fixed(2.0, 1, signed=True)] == ["0.0", "+2.0"]
    assert [duration(s) for s in (3.52, 48, 450, 7500, math.nan)] == ["3.5 s", "48 s", "7 min 30 s", "2 h 5 min", "?"]
