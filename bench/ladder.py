"""From a ladder's raw samples to what each practice adds, and what the whole loses without it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from bench.pair import ANTI_PATTERN, RECOMMENDED
from bench.results import MetricInfo, PointRecord
from bench.verdict import Judgement, judge_metric


@dataclass(frozen=True)
class Rung:
    """One arm of a ladder: what its practice adds to the arm before, and what all so far add to the anti-pattern."""

    arm: str
    step: Judgement
    total: Judgement


def rungs(record: PointRecord, metric: MetricInfo) -> list[Rung]:
    """The ladder from the bottom to the top; empty for a point that has none or was not measured."""
    if record.status != "measured" or not record.ladder:
        return []
    return [
        Rung(arm, judge_metric(record, metric, arm, base=before), judge_metric(record, metric, arm))
        for before, arm in pairwise([ANTI_PATTERN, *record.ladder])
    ]


def without(record: PointRecord, metric: MetricInfo) -> list[Judgement]:
    """The whole against every arm that lacks one practice of it: what that practice is worth among all the others."""
    if record.status != "measured" or not record.ladder:
        return []
    return [judge_metric(record, metric, RECOMMENDED, base=arm) for arm in lacking(record.arms, record.ladder)]


def lacking(arms: Sequence[str], ladder: Sequence[str]) -> list[str]:
    """The arms beside the ladder."""
    return [arm for arm in arms if arm != ANTI_PATTERN and arm not in ladder]
