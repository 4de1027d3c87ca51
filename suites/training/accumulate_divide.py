"""When gradients add up over k micro-batches, the loss is said to need dividing by k, or they are k times too large.

The anti-pattern adds up the micro-batches' mean losses as they are, the recommended arm divides each by k, and the
variant weighs each by its share of the samples. The errors are those of the gradient, and of the update that one
optimizer step makes of it, against the same samples as one batch.

Theory: undivided, the relative error is exactly k - 1. Adam divides by the gradient's own size, which hides it from the
update; and with a shorter last micro-batch dividing by k is itself wrong, since its samples then count for more.
"""

import torch
from torch import Tensor

from bench import AsWritten, Axis, Pair, Setup, Step, error, may_differ
from suites.workloads.accumulation import Accumulation, accumulation, against_the_whole
from suites.workloads.compare import error_of
from suites.workloads.loops import guide_accumulation

SIZES = {"equal-2": [16] * 2, "equal-8": [16] * 8, "equal-8-adam": [16] * 8, "short-last-8": [16] * 7 + [2]}


def micro_batches(setup: Setup) -> Accumulation:
    torch.manual_seed(setup.seed)
    case = setup.point(str)
    return accumulation(SIZES[case], setup.pick(full=64, smoke=8), adam="adam" in case, device=setup.device)


def undivided(a: Accumulation) -> Step:
    return lambda: against_the_whole(a, lambda n: 1.0)


def divided_by_k(a: Accumulation) -> Step:
    return lambda: against_the_whole(a, lambda n: 1 / len(a.micro))


def weighed_by_samples(a: Accumulation) -> Step:
    samples = sum(len(x) for x, _ in a.micro)

    def step() -> dict[str, Tensor]:
        return against_the_whole(a, lambda n: n / samples)

    return step


PAIR = Pair(
    claims=("accumulate-divide",),
    inputs=micro_batches,
    anti_pattern=undivided,
    recommended=divided_by_k,
    variants={"weighed_by_samples": weighed_by_samples},
    same=may_differ("the gradient", because="its size without the division is what is measured"),
    metrics=(error(error_of("gradient"), "gradient error"), error(error_of("update"), "update error")),
    axis=Axis("case", full=("equal-2", "equal-8"), outside=("equal-8-adam", "short-last-8")),
)
AS_WRITTEN = AsWritten(claim="accumulate-divide", where="G 3.3", usage=guide_accumulation)
