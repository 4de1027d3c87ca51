"""After how many steps advice that costs more at first has paid for itself."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import median

from bench.pair import ANTI_PATTERN, RECOMMENDED
from bench.results import PointRecord


@dataclass(frozen=True)
class PayBack:
    """``steps`` from which on the recommended arm has taken less time in all: 1 at once, None never.

    ``extra_first_s`` is how much longer its first step takes, ``saved_s`` what each further step saves, in seconds.
    """

    steps: int | None
    extra_first_s: float
    saved_s: float


def pay_back(record: PointRecord, arm: str = RECOMMENDED) -> PayBack | None:
    """What the replicates' medians say; None for a point that does not compare both first steps and times.

    After n steps an arm has taken its first step and n - 1 others, so the advice is ahead once
    (n - 1) * saved > extra. An interval is not given: the count stretches without end where nothing is saved.
    """
    kinds = {m.kind for m in record.metrics}
    if record.timing is None or not record.timing.replicates or not {"time", "first_step"} <= kinds:
        return None
    first = {a: median(r.first[a] for r in record.timing.replicates) for a in (ANTI_PATTERN, arm)}
    later = {a: median(median(r.host[a]) for r in record.timing.replicates) for a in (ANTI_PATTERN, arm)}
    extra, saved = first[arm] - first[ANTI_PATTERN], later[ANTI_PATTERN] - later[arm]
    if extra < 0:
        return PayBack(1, extra, saved)
    return PayBack(math.floor(extra / saved) + 2 if saved > 0 else None, extra, saved)
