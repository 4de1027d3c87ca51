"""Checking ranges, labels and augmented samples before training: what the checks cost, and how often they cry wolf.

The data are the clean digits. The anti-pattern trains an epoch, the recommended arm asserts what must hold and trains
the same epoch; an assertion that does not hold is a false alarm.

Theory: an assertion sees what no right sample can be, so on clean data none should raise an alarm.
"""

from bench import Axis, Needs, Pair, Step, share, time, within
from suites.workloads.compare import in_part
from suites.workloads.planted_faults import Checked, asserted, checked, train_an_epoch


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
    anti_pattern=an_epoch,
    recommended=checks_and_an_epoch,
    same=in_part("loss", within(rtol=1e-6)),
    metrics=(time, share(lambda r: r["alarms"], "false alarms", better="lower")),
    axis=Axis("data", outside=("clean",)),
    needs=Needs(cpu=True, packages=("sklearn",)),
)
