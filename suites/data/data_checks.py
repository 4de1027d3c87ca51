"""Ranges, labels and augmented samples are said to be worth checking before training.

Faults are planted into the digits one at a time. The anti-pattern trains an epoch and finds what raises or makes the
loss NaN; the recommended arm asserts what must hold: finite numbers that use the range from 0 to 1, no blank image,
known and balanced labels, no image twice. Measured is the share of the faults that is found.

The second pair is what the assertions cost beside an epoch of training, and how often they cry wolf on clean digits.

Theory: training stops at a label that is no class, and at NaN; everything else it learns without a word. An assertion
sees what no right sample can be. Labels that are wrong but possible, and images that are mirrored, are for the eye, as
the document says: no assertion finds them.
"""

import math

from bench import Axis, Needs, Pair, Step, may_differ, share, time, within
from suites.workloads.compare import in_part
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


def an_epoch(c: Checked) -> Step:
    return lambda: {"loss": train_an_epoch(c.digits, c.seed), "alarms": 0.0}


def checks_and_an_epoch(c: Checked) -> Step:
    def step() -> dict[str, float]:
        alarms = float(bool(asserted(c.digits)))
        return {"loss": train_an_epoch(c.digits, c.seed), "alarms": alarms}

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
COST = Pair(
    claims=("data-checks",),
    inputs=checked,
    anti_pattern=an_epoch,
    recommended=checks_and_an_epoch,
    same=in_part("loss", within(rtol=1e-6)),
    metrics=(time, share(lambda r: r["alarms"], "false alarms", better="lower")),
    axis=Axis("data", outside=("clean",)),
    needs=Needs(cpu=True, packages=("sklearn",)),
    name="data-checks-cost",
)
