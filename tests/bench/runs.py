"""A small run for tests, made on paper."""

import random
from collections.abc import Sequence

from bench.results import Environment, Machine, MetricInfo, Point, PointRecord, Replicate, Run, Timing

TIME = MetricInfo(name="time", kind="time", unit="s", better="lower", comparison="ratio", zone=0.02)
ARMS = ["anti_pattern", "recommended"]


def timed(
    ratio: float, pair: str = "tensors/one", claims: Sequence[str] = ("one",), spread: float = 0.001, **more: object
) -> PointRecord:
    """A point whose recommended arm takes ``ratio`` of the anti-pattern's time, in twelve replicates of six blocks."""
    chance = random.Random(f"{pair} {ratio}")
    replicates = [
        Replicate(
            first=dict.fromkeys(ARMS, 0.01),
            host={
                arm: [0.001 * r * (1 + chance.gauss(0, spread)) for _ in range(6)]
                for arm, r in zip(ARMS, (1, ratio), strict=True)
            },
            cpu={arm: [1.0] * 6 for arm in ARMS},
            orders=["01", "10"] * 3,
        )
        for _ in range(12)
    ]
    fields: dict[str, object] = {
        "pair": pair,
        "claims": list(claims),
        "device": "cpu",
        "status": "measured",
        "arms": ARMS,
        "metrics": [TIME],
        "timing": Timing(inner=1, replicates=replicates, looks=[12, 24]),
    }
    return PointRecord.model_validate(fields | more)


def controls(same: float = 1.0, planted: float = 1.05) -> list[PointRecord]:
    """Good controls unless told otherwise."""
    return [
        timed(same, "controls/same-work", ["control"], role="control"),
        timed(planted, "controls/planted-5-percent", ["control"], role="control"),
    ]


def at(value: int, outside: bool = False) -> Point:
    """A point of an axis called n."""
    return Point(axis="n", value=value, outside=outside)


def make_run(points: Sequence[PointRecord] | None = None) -> Run:
    """A quick run of a machine called box."""
    return Run(
        id="20260101T000000-abc",
        started="2026-01-01T00:00:00+00:00",
        profile="quick",
        seed=0,
        device="cpu",
        machine=Machine(name="box", cpu="a cpu", cores=2, memory_gib=8.0, system="Linux x86_64"),
        environment=Environment(python="3.11", torch="2.14.1"),
        points=list(points) if points is not None else [timed(0.5), timed(1.0, "tensors/two", ["two"])],
    )
