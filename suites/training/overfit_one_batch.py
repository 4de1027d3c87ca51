"""Overfitting a few samples first is said to show bugs of the model or the data: the loss must go to nearly zero.

Programs with one planted bug each train on eight digits. The recommended arm calls a program buggy when its loss has
not gone below 0.05 and stayed there within 100 steps, four times what the sound one takes; the anti-pattern skips the
test and so finds nothing. What counts is the share of bugs caught, what the test of a program costs in optimizer steps,
and how many of four sound programs are accused. At ``model-patient`` the model's bugs are given 400 steps.

Theory: the test sees what stops learning: no gradient, no step, a floor under the loss (softmax before it leaves
ln(e + 9) - 1 = 1.46). It cannot see what is only wrong beyond these samples: eight of them are learnt by heart whatever
their labels, and just as well when they are the test's. Half a network learns them too, only slower, so patience loses
bugs. Label smoothing has a floor by design, of 0.50 here, and is accused without fault.
"""

from dataclasses import dataclass
from statistics import mean

from bench import Axis, Needs, Pair, Setup, Step, count, may_differ, share
from suites.workloads.buggy import BUGS, SOUND, overfit
from suites.workloads.digits import Digits, load_digits


@dataclass(frozen=True)
class Programs:
    """Digits, the bugs of one place, how many steps a test is given, and the seed of the weights."""

    digits: Digits
    bugs: tuple[str, ...]
    limit: int
    seed: int


def programs(setup: Setup) -> Programs:
    place, _, patient = setup.point(str).partition("-")
    return Programs(load_digits(setup.seed), BUGS[place], 400 if patient else 100, setup.seed)


def skip_the_test(p: Programs) -> Step:
    return lambda: {"caught": dict.fromkeys(p.bugs, False), "accused": dict.fromkeys(SOUND, False), "steps": 0.0}


def overfit_first(p: Programs) -> Step:
    def step() -> dict[str, object]:
        tests = {name: overfit(p.digits, name, p.limit, p.seed) for name in (*p.bugs, *SOUND)}
        return {
            "caught": {bug: not tests[bug].near_zero for bug in p.bugs},
            "accused": {name: not tests[name].near_zero for name in SOUND},
            "steps": mean(t.steps for t in tests.values()),
        }

    return step


PAIR = Pair(
    claims=("overfit-one-batch",),
    inputs=programs,
    anti_pattern=skip_the_test,
    recommended=overfit_first,
    same=may_differ("what is called a bug", because="how many bugs are found is what is measured"),
    metrics=(
        share(lambda r: mean(r["caught"].values()), "share of bugs caught", better="higher"),
        count(lambda r: sum(r["accused"].values()), "sound programs accused"),
        count(lambda r: r["steps"], "steps per program"),
    ),
    axis=Axis("bugs", full=("model", "loop", "data"), outside=("model-patient",)),
    needs=Needs(cpu=True, packages=("sklearn",)),
)
