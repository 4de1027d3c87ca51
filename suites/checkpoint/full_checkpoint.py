"""The weights alone are said not to be enough to resume from: optimizer, epoch and schedule belong in a checkpoint.

Digits are trained half-way, saved, and gone on with in a new model and a new optimizer; the error is how far the final
weights are from those of the same training without a stop, and the jump the largest rise of the loss over it. The
anti-pattern restores the weights, the recommended arm the document's list, the variant the random state as well. Every
arm knows which batch comes next.

Theory: plain SGD at a constant rate has no other state, so there the weights are enough. With dropout the document's
list is not: the random numbers go on elsewhere.
"""

from bench import Axis, Needs, Pair, Setup, Step, error, loss, may_differ
from suites.workloads.compare import error_of
from suites.workloads.digits import load_digits
from suites.workloads.resuming import Stop


def half_way(setup: Setup) -> Stop:
    steps = setup.pick(full=80, smoke=8)
    return Stop(load_digits(setup.seed), setup.point(str), steps, setup.seed, setup.folder / "checkpoint.pth")


def weights_only(s: Stop) -> Step:
    return lambda: s.resumed({"model", "step"})


def everything(s: Stop) -> Step:
    return lambda: s.resumed({"model", "optimizer", "scheduler", "step"})


def everything_and_random_state(s: Stop) -> Step:
    return lambda: s.resumed({"model", "optimizer", "scheduler", "step", "random"})


PAIR = Pair(
    claims=("full-checkpoint",),
    inputs=half_way,
    anti_pattern=weights_only,
    recommended=everything,
    variants={"everything_and_random_state": everything_and_random_state},
    same=may_differ("the weights after resuming", because="what is lost with the rest is what is measured"),
    metrics=(error(error_of("weights"), "weight error"), loss(lambda r: r["jump"], "loss jump")),
    axis=Axis("recipe", full=("momentum", "adam"), outside=("plain-sgd", "adam-dropout")),
    needs=Needs(cpu=True, packages=("sklearn",)),
)
