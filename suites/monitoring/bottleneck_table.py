"""A GPU's utilisation is said to name the bottleneck: low is loading, high is computing, and stalls are storage.

Four bottlenecks are planted, one after the other, and each is watched while it trains. The anti-pattern always blames
computing, the recommended arm applies the document's table, and the variant asks beside it how long the loop waited for
data. The share of causes that each names right is compared. (What the cures gain is measured by the claims about them.)

Theory: work launched in pieces too small keeps the GPU idle without any loading at all, so the table cannot name it and
calls it loading; the share of time spent waiting for the next batch tells the two apart.
"""

from collections.abc import Callable

import torch

from bench import Needs, Pair, Setup, Step, may_differ, share
from suites.workloads.bottlenecks import CAUSES, Seen, rule, rule_with_waiting, watch


def scene(setup: Setup) -> tuple[torch.device, int, float]:
    return setup.device, setup.pick(full=64, smoke=8, cuda=4096), 0.0 if setup.smoke else 1.5


def named_right(scene: tuple[torch.device, int, float], diagnosis: Callable[[Seen], str]) -> Step:
    return lambda: sum(diagnosis(watch(cause, *scene)) == cause for cause in CAUSES) / len(CAUSES)


def always_computing(s: tuple[torch.device, int, float]) -> Step:
    return named_right(s, lambda seen: "computing")


def by_the_table(s: tuple[torch.device, int, float]) -> Step:
    return named_right(s, rule)


def by_the_table_and_waiting(s: tuple[torch.device, int, float]) -> Step:
    return named_right(s, rule_with_waiting)


PAIR = Pair(
    claims=("bottleneck-table",),
    inputs=scene,
    anti_pattern=always_computing,
    recommended=by_the_table,
    variants={"by_the_table_and_waiting": by_the_table_and_waiting},
    same=may_differ("the causes named", because="how many are right is what is counted"),
    metrics=(share(lambda r: r, "causes named right", better="higher", exact=False),),
    needs=Needs(cuda=True),
    timeout=120.0,
)
