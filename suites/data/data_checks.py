"""Ranges, labels and augmented samples are said to be worth checking before training.

Faults are planted into the digits one at a time. The anti-pattern trains an epoch and finds what raises or makes the
loss NaN; the recommended arm asserts what must hold: finite numbers that use the range from 0 to 1, no blank image,
known and balanced labels, no image twice. Measured is the share of the faults that is found.

Theory: training stops at a label that is no class, and at NaN; everything else it learns without a word. An assertion
sees what no right sample can be. Labels that are wrong but possible, and images that are mirrored, are for the eye, as
the document says: no assertion finds them.
"""

import math

from bench import Axis, Needs, Pair, Step, may_differ, share
from suites.workloads.digits import Digits
from suites.workloads.planted_faults import Checked, asserted, checked, train_an_epoch


def training_fails(digits: Digits, seed: int) -> bool:
    try:
        return not math.isfinite(train_an_epoch(digits, seed))
    except (IndexError, RuntimeError):
        return True


def train_and_see(c: Checked) -> Step:
    def step() -> float:
        return sum(training_fails(plant(c.digits), c.seed) for plant in c.faults.values()) / len(c.faults)

    return step


def check_first(c: Checked) -> Step:
    def step() -> float:
        return sum(bool(asserted(plant(c.digits))) for plant in c.faults.values()) / len(c.faults)

    return step


PAIR = Pair(
    claims=("data-checks",),
    inputs=checked,
    anti_pattern=train_and_see,
    recommended=check_first,
    same=may_differ("the faults found", because="how many are found is what is measured"),
    metrics=(share(lambda found: found, "faults found", better="higher"),),
    axis=Axis("faults", full=("ranges", "labels", "augmentation"), outside=("duplicates", "looks-right")),
    needs=Needs(cpu=True, packages=("sklearn",)),
)
