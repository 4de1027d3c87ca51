"""When gradients add up over k micro-batches, the loss is said to need dividing by k; here in a training.

Digits are trained at a rate that was tuned for large batches. The anti-pattern adds up the micro-batches' mean losses
as they are, the recommended arm divides each by k. Measured is how far the weights end from those that large batches
lead to, and at which loss.

Theory: with plain SGD, leaving the division out is the same as a rate k times as high: too high after tuning, but a
help where the rate was k times too low.
"""

from bench import Axis, Needs, Pair, Step, error, loss, may_differ
from suites.workloads.compare import error_of
from suites.workloads.loss_curve import Curve, curve, train


def undivided(c: Curve) -> Step:
    return lambda: train(c, divisor=1)


def divided_by_k(c: Curve) -> Step:
    return lambda: train(c, divisor=c.k)


PAIR = Pair(
    claims=("accumulate-divide",),
    inputs=curve,
    anti_pattern=undivided,
    recommended=divided_by_k,
    same=may_differ("the weights", because="where the larger updates lead is what is measured"),
    metrics=(error(error_of("change"), "weight error"), loss(lambda r: r["loss"], "final loss")),
    axis=Axis("case", full=("equal-2", "equal-8"), outside=("equal-8-low-rate",)),
    needs=Needs(cpu=True, packages=("sklearn",)),
)
