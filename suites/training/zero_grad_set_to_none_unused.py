"""zero_grad(set_to_none=True) is said to be more efficient than writing zeros; for an unused layer it is not the same.

A layer has a gradient in the first update and none in nine more. The anti-pattern writes zeros into its gradients after
each, the recommended arm sets them to None. The error is that of the weights, against those that zeros give.

Theory: optimizers step with a gradient of zeros and skip one that is None (PyTorch's docs on zero_grad): with zeros an
unused weight goes on to decay by 1 - rate × decay in each update, or to be carried by momentum; with None it stays.
"""

from bench import Axis, Pair, Step, error, may_differ, time
from suites.workloads.compare import error_of
from suites.workloads.unused import Unused, unused_layer, updates


def to_zeros(u: Unused) -> Step:
    return lambda: updates(u, set_to_none=False)


def to_none(u: Unused) -> Step:
    return lambda: updates(u, set_to_none=True)


PAIR = Pair(
    claims=("zero-grad-set-to-none",),
    inputs=unused_layer,
    anti_pattern=to_zeros,
    recommended=to_none,
    same=may_differ("the unused weights", because="the updates that None skips are what is measured"),
    metrics=(error(error_of("weights"), "unused weights' error"), time),
    axis=Axis("optimizer", outside=("weight-decay", "momentum")),
)
