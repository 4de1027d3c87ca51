"""Gradients are said to underflow in float16 unless the loss is scaled up first and the gradients down again.

The anti-pattern takes the gradient under float16 autocast without a scaler, the recommended arm with GradScaler's
default scale of 65,536; the variant needs none, as it uses bfloat16. The loss is weighed down as a term among others
is, or as a mean over many elements is by itself. The error is the gradient's against float64.

Theory: float16 rounds what is below 2^-25 to 0, and below 2^-14 has fewer and fewer bits. A loss of order one has
gradients above that, so little is lost without a scaler; bfloat16 has float32's range, and an eighth of float16's bits.
"""

import copy

import torch
from torch import Tensor

from bench import AsWritten, Axis, Pair, Step, error, may_differ, share
from suites.workloads.compare import error_of, gradient
from suites.workloads.half_step import HalfStep, weighed_step
from suites.workloads.one_layer import with_scaler_as_written


def half_gradient(s: HalfStep, kind: torch.dtype, scaled: bool) -> dict[str, Tensor]:
    model, scaler = copy.deepcopy(s.model), torch.amp.GradScaler(s.x.device.type, enabled=scaled)
    scaler.scale(s.loss(model, kind)).backward()
    scaler.unscale_(torch.optim.SGD(model.parameters()))
    return {"gradient": gradient(model), "true gradient": s.exact()[1]}


def no_scaler(s: HalfStep) -> Step:
    return lambda: half_gradient(s, torch.float16, scaled=False)


def with_scaler(s: HalfStep) -> Step:
    return lambda: half_gradient(s, torch.float16, scaled=True)


def bfloat16_without_scaler(s: HalfStep) -> Step:
    return lambda: half_gradient(s, torch.bfloat16, scaled=False)


PAIR = Pair(
    claims=("grad-scaler",),
    inputs=weighed_step,
    anti_pattern=no_scaler,
    recommended=with_scaler,
    variants={"bfloat16_without_scaler": bfloat16_without_scaler},
    same=may_differ("the gradient", because="what float16 loses of it is what is measured"),
    metrics=(
        error(error_of("gradient"), "gradient error"),
        share(lambda r: float((r["gradient"] == 0).float().mean()), "share of zero gradients", better="lower"),
    ),
    axis=Axis("loss", full=("weighed-1e-4", "weighed-1e-6"), outside=("order-1",)),
)

MODERN = "torch.amp.GradScaler(device), torch.autocast(device)"
AS_WRITTEN_G = AsWritten("grad-scaler", "G 4.3", with_scaler_as_written, modern=MODERN)
AS_WRITTEN_F = AsWritten("grad-scaler", "F 3", with_scaler_as_written, modern=MODERN)
