"""Operations that need precision, such as large sums, are said to want float32: autocast is switched off around them.

A product in half precision is reduced to a loss: inside autocast in the anti-pattern, after ``.float()`` and with
autocast off in the recommended arm. The variant switches autocast off and forgets ``.float()``. The error is the loss's
against float64; the product's elements are about 1, and there are enough of them that their sum exceeds float16.

Theory: reductions add up in float32 inside whatever they return, so what half precision costs is one rounding, by at
most 2^-11 in float16, until the result or a term passes 65,504 and is infinite. Autocast runs many losses, and on CUDA
sums, in float32 by itself (PyTorch's docs on autocast list them), which leaves an island nothing to do there. Without
``.float()`` it is worse than none: it takes that away, and its input stays half.
"""

import torch
from torch import Tensor

from bench import AsWritten, Axis, Pair, Setup, Step, error, may_differ
from suites.workloads.compare import error_of
from suites.workloads.mixed_precision import autocast
from suites.workloads.reductions import Reduction, reduction


def inside_autocast(r: Reduction) -> Step:
    def step() -> dict[str, Tensor]:
        with autocast(r.x.device, r.kind):
            found = r.loss(r.x @ r.weight, r.labels)
        return r.result(found)

    return step


def float32_island(r: Reduction) -> Step:
    def step() -> dict[str, Tensor]:
        with autocast(r.x.device, r.kind):
            y = r.x @ r.weight
            with torch.autocast(r.x.device.type, enabled=False):
                found = r.loss(y.float(), r.labels)
        return r.result(found)

    return step


def island_without_float(r: Reduction) -> Step:
    def step() -> dict[str, Tensor]:
        with autocast(r.x.device, r.kind):
            y = r.x @ r.weight
            with torch.autocast(r.x.device.type, enabled=False):
                found = r.loss(y, r.labels)
        return r.result(found)

    return step


PAIR = Pair(
    claims=("fp32-island",),
    inputs=reduction,
    anti_pattern=inside_autocast,
    recommended=float32_island,
    variants={"island_without_float": island_without_float},
    same=may_differ("the loss", because="what half precision loses of it is what is measured"),
    metrics=(error(error_of("loss"), "output error"),),
    axis=Axis(
        "loss",
        full=("sum", "sum-of-squares", "mean-of-large-squares"),
        outside=("sum-within-range", "sum-bfloat16", "mse-loss", "cross-entropy"),
    ),
)


def switched_off(setup: Setup) -> Tensor:
    x = torch.ones(4, 4, device=setup.device)
    with torch.cuda.amp.autocast():
        y = x @ x
        with torch.cuda.amp.autocast(enabled=False):
            return y.float().sum()


AS_WRITTEN = AsWritten("fp32-island", "G 4.3", switched_off, modern="torch.autocast(device, enabled=False)")
