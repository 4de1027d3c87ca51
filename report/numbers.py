"""Numbers as people read them: changes with their interval and direction, and levels in human units."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from bench.metrics import TIMED
from bench.results import MetricInfo
from bench.stats import Interval
from report.escape import plain
from report.words import Words

Direction = Literal["better", "worse", "even"]
MINUS = "−"
_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_BYTES = ((2.0**40, "TiB"), (2.0**30, "GiB"), (2.0**20, "MiB"), (2.0**10, "KiB"), (1.0, "B"))
_JOULES = ((1.0, "J"), (1e-3, "mJ"), (1e-6, "µJ"))
_UNITS = {"s": _TIMES, "B": _BYTES, "J": _JOULES}
# Beyond these a percentage says less than a factor: +1100 %, -99.8 %.
_MANY, _FEW = 10.0, 0.01


@dataclass(frozen=True)
class Change:
    """A change as it is shown; the numbers are those in ``text``, on its scale, before rounding."""

    text: str
    direction: Direction
    estimate: float
    low: float
    high: float


def change_of(interval: Interval, metric: MetricInfo, words: Words) -> Change:
    """The recommended arm against the anti-pattern in words that say which way it went."""
    if metric.comparison != "ratio":
        return _difference(interval, metric, words)
    if metric.kind in TIMED and metric.better == "lower":
        return _speed(interval, words)
    if metric.better == "higher":
        return _amount(interval, metric, words)
    return _percent(interval, metric, words)


def gain_of(interval: Interval, metric: MetricInfo) -> tuple[float, float, float] | None:
    """How many times better (estimate, low, high), above 1 is better, for metrics that are compared as ratios."""
    if metric.comparison != "ratio":
        return None
    if metric.better == "higher":
        return exp(interval.estimate), exp(interval.low), exp(interval.high)
    return exp(-interval.estimate), exp(-interval.high), exp(-interval.low)


def log_zone(comparison: str, zone: float) -> float:
    """Half the range that is no difference, on the scale of the change: logs for ratios."""
    return math.log1p(zone) if comparison == "ratio" else zone


def level(value: float, unit: str) -> str:
    """``82.1 µs``, ``3.5 MiB``, ``93.1 %``: an arm's own value in the unit that keeps it short."""
    if unit == "share":
        return f"{three(value * 100)} %"
    if unit in _UNITS and math.isfinite(value) and value != 0:
        factor, name = next((s for s in _UNITS[unit] if abs(value) >= s[0]), _UNITS[unit][-1])
        return f"{three(value / factor)} {name}"
    return f"{three(value)} {plain(unit)}".strip()


def percent(fraction: float) -> str:
    """``1.4 %``."""
    return f"{three(fraction * 100)} %"


def duration(seconds: float) -> str:
    """``3.5 s``, ``48 s``, ``7 min 30 s``, ``2 h 5 min``."""
    if not math.isfinite(seconds) or seconds < 0:
        return "?"
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def three(value: float) -> str:
    """Three significant digits, without an exponent while that is readable."""
    if not math.isfinite(value):
        return _not_finite(value)
    size = abs(float(f"{value:.3g}"))
    if 100 <= size < 1e6:
        return fixed(value, 0)
    return f"{value:.3g}".replace("-", MINUS)


def fixed(value: float, decimals: int, *, signed: bool = False) -> str:
    """``value`` with so many decimals and a real minus; zero has no sign."""
    if not math.isfinite(value):
        return _not_finite(value)
    text = f"{value:.{decimals}f}" if abs(value) < 1e6 else f"{value:.3g}"
    if float(text) == 0:
        return text.lstrip("-")
    return f"{'+' if signed and value > 0 else ''}{text}".replace("-", MINUS)


def exp(value: float) -> float:
    """``e`` to the ``value``, infinite where a float ends."""
    return math.exp(value) if value < 709 else math.inf


def _speed(interval: Interval, words: Words) -> Change:
    if interval.estimate <= 0:
        estimate, low, high = exp(-interval.estimate), exp(-interval.high), exp(-interval.low)
        template = words.faster
    else:
        estimate, low, high = exp(interval.estimate), exp(interval.low), exp(interval.high)
        template = words.slower
    return _factor(estimate, low, high, template, words.as_fast, "", interval.estimate < 0)


def _amount(interval: Interval, metric: MetricInfo, words: Words) -> Change:
    name = words.name_of(metric)
    if interval.estimate >= 0:
        estimate, low, high = exp(interval.estimate), exp(interval.low), exp(interval.high)
        template = words.higher
    else:
        estimate, low, high = exp(-interval.estimate), exp(-interval.high), exp(-interval.low)
        template = words.lower
    return _factor(estimate, low, high, template, words.as_high, name, interval.estimate > 0)


def _factor(estimate: float, low: float, high: float, template: str, even: str, name: str, better: bool) -> Change:
    """A factor of 1 or more; one that rounds to 1 has no direction."""
    decimals = _decimals(estimate, low, high)
    number, rest = fixed(estimate, decimals), _ends(low, high, decimals)
    if number == fixed(1.0, decimals):
        return Change(f"{even.format(n=number, name=name)} {rest}", "even", estimate, low, high)
    direction: Direction = "better" if better else "worse"
    return Change(f"{template.format(n=number, name=name)} {rest}", direction, estimate, low, high)


def _percent(interval: Interval, metric: MetricInfo, words: Words) -> Change:
    """Amounts where less is better: a signed percentage, or a factor where that says more."""
    name, ratio = words.name_of(metric), exp(interval.estimate)
    if ratio > _MANY:
        low, high = exp(interval.low), exp(interval.high)
        return _factor(ratio, low, high, words.times_as_much, words.times_as_much, name, False)
    if ratio < _FEW:
        estimate, low, high = exp(-interval.estimate), exp(-interval.high), exp(-interval.low)
        return _factor(estimate, low, high, words.times_less, words.times_less, name, True)
    estimate, low, high = (math.expm1(min(v, 709)) * 100 for v in (interval.estimate, interval.low, interval.high))
    decimals = _decimals(estimate, low, high)
    number = fixed(estimate, decimals, signed=True)
    text = f"{words.percent_change.format(n=number, name=name)} {_ends(low, high, decimals, signed=True)}"
    return Change(text, _direction(-estimate, decimals), estimate, low, high)


def _difference(interval: Interval, metric: MetricInfo, words: Words) -> Change:
    """A difference in the metric's unit; of a share, in points."""
    scale = 100.0 if metric.unit == "share" else 1.0
    estimate, low, high = (v * scale for v in (interval.estimate, interval.low, interval.high))
    decimals = _decimals(estimate, low, high)
    template = words.points if metric.unit == "share" else words.difference
    number = fixed(estimate, decimals, signed=True)
    told = template.format(n=number, name=words.name_of(metric), unit=plain(metric.unit)).strip()
    good = estimate if metric.better == "higher" else -estimate
    return Change(f"{told} {_ends(low, high, decimals, signed=True)}", _direction(good, decimals), estimate, low, high)


def _direction(good: float, decimals: int) -> Direction:
    if not math.isfinite(good) or float(f"{good:.{decimals}f}") == 0:
        return "even"
    return "better" if good > 0 else "worse"


def _ends(low: float, high: float, decimals: int, *, signed: bool = False) -> str:
    return f"[{fixed(low, decimals, signed=signed)}, {fixed(high, decimals, signed=signed)}]"


def _decimals(estimate: float, low: float, high: float) -> int:
    """As many as the interval's half-width means, and no more than four significant digits of the estimate."""
    half = (high - low) / 2
    size = math.floor(math.log10(abs(estimate))) if estimate and math.isfinite(estimate) else 0
    if half > 0 and math.isfinite(half):
        wanted = math.ceil(-math.log10(half))
        return max(0, min(wanted, 3 - size if estimate else wanted, 9))
    return 0 if estimate == round(estimate, 0) and math.isfinite(estimate) else max(0, min(2 - size, 9))


def _not_finite(value: float) -> str:
    return "NaN" if math.isnan(value) else "∞" if value > 0 else f"{MINUS}∞"
