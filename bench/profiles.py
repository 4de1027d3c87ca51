"""How thorough a run is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal


@dataclass(frozen=True)
class Profile:
    """``looks`` are the replicate counts at which the interval's width is looked at, fixed before measuring.

    ``slow_looks`` are for points whose first look would take longer than ``first_look_s`` seconds, and for what decides
    nothing; ``control_looks`` are for the controls, whose interval is the run's resolution. ``sample_s`` is the least
    length of a sample; a replicate's blocks last ``replicate_s`` seconds, longer where its processes took longer to
    start, and less where a budget does not hold it; they are ``blocks`` at most. It comes from one of up to ``servers``
    fork servers. ``measures`` says whether steps are timed and weighed at all; ``most_seeds`` bounds those of a pair.
    """

    name: Literal["smoke", "quick", "full"]
    looks: tuple[int, ...]
    slow_looks: tuple[int, ...]
    control_looks: tuple[int, ...]
    first_look_s: float
    sample_s: float
    blocks: int
    replicate_s: float
    warm_s: float
    telemetry_s: float
    measures: bool = True
    servers: int = 12
    most_seeds: int = 1000


SMOKE = Profile("smoke", (2,), (2,), (2,), 1e9, 0.0005, 1, 0.01, 0.002, 0.2, servers=1, most_seeds=2)
# What plain pytest does with every pair: run it, not measure it.
TINY = replace(SMOKE, measures=False, most_seeds=1)
QUICK = Profile("quick", (4, 6, 12, 24), (4, 6, 12), (12, 24), 12.0, 0.005, 12, 0.3, 0.1, 2.0)
FULL = Profile("full", (12, 24, 48), (12, 24), (12, 24, 48), 20.0, 0.005, 24, 0.5, 0.5, 5.0)

PROFILES: dict[str, Profile] = {p.name: p for p in (SMOKE, QUICK, FULL)}
