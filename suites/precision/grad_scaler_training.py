"""Gradients are said to underflow in float16 without a scaler; here in training, in the field guide's own loop.

That loop runs autocast without the scaler that its section calls for; the recommended arm is the same with a scaler.
Both train with Adam. The error is that of the weights against float32.

Theory: float16 rounds what is below 2^-25 to 0. A loss of order one has gradients above that, so little is lost without
a scaler; a loss that is weighed down has none left, and the weights stay where they were.
"""

from bench import Axis, Pair, Step, error, loss, may_differ
from suites.workloads.compare import error_of
from suites.workloads.half_step import HalfStep, trained_beside_float32, weighed_step


def field_guide_loop(s: HalfStep) -> Step:
    return lambda: trained_beside_float32(s, scaled=False)


def loop_with_scaler(s: HalfStep) -> Step:
    return lambda: trained_beside_float32(s, scaled=True)


PAIR = Pair(
    claims=("grad-scaler",),
    inputs=weighed_step,
    anti_pattern=field_guide_loop,
    recommended=loop_with_scaler,
    same=may_differ("the weights", because="what float16 loses on the way is what is measured"),
    metrics=(error(error_of("weights"), "weight error"), loss(lambda r: r["loss"], "final loss")),
    axis=Axis("loss", outside=("order-1", "weighed-1e-6")),
)
