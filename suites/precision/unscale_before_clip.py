"""Gradients are said to need scaler.unscale_() before they are clipped, since otherwise scaled ones are clipped.

The anti-pattern clips and lets scaler.step() unscale afterwards, the recommended arm unscales first. Two variants are
the field guide's: its lines in their order, which clip before the backward, and its loop, which clips without a scaler
anywhere. The limit is half or twice the gradient's true length; the update is compared with the one in float64.

Theory: with a scale of S every scaled gradient is longer than the limit, so it is cut to the limit and then divided by
S: the update has the length limit / S, and training stands still. Its direction is right, so that Adam, which divides
by the gradient's own size, hides most of the fault; not all, as what is left of the gradient nears its eps of 1e-8.
"""

import torch
from torch import Tensor, nn

from bench import AsWritten, Axis, Pair, Setup, Step, error, may_differ, share
from suites.workloads.clipping import Clipping, Update, clipping
from suites.workloads.compare import error_of
from suites.workloads.one_layer import one_layer


def clip_scaled(c: Clipping) -> Step:
    def step() -> dict[str, Tensor]:
        update = Update(c)
        update.backward()
        update.clip()
        return update.finish()

    return step


def unscale_then_clip(c: Clipping) -> Step:
    def step() -> dict[str, Tensor]:
        update = Update(c)
        update.backward()
        update.unscale()
        update.clip()
        return update.finish()

    return step


def clip_before_backward(c: Clipping) -> Step:
    def step() -> dict[str, Tensor]:
        update = Update(c)
        update.clip()
        update.backward()
        return update.finish()

    return step


def clip_without_scaler(c: Clipping) -> Step:
    def step() -> dict[str, Tensor]:
        update = Update(c, scaled=False)
        update.backward()
        update.clip()
        return update.finish()

    return step


def length_of_update(result: dict[str, Tensor]) -> float:
    return float(result["update"].double().norm() / result["true update"].norm())


PAIR = Pair(
    claims=("unscale-before-clip",),
    inputs=clipping,
    anti_pattern=clip_scaled,
    recommended=unscale_then_clip,
    variants={"clip_before_backward": clip_before_backward, "clip_without_scaler": clip_without_scaler},
    same=may_differ("the update", because="its length without unscaling is what is measured"),
    metrics=(
        error(error_of("update"), "update error"),
        share(length_of_update, "length of the update over the true one", better="higher"),
    ),
    axis=Axis("gradient", full=("above-the-limit", "below-the-limit"), outside=("above-the-limit-adam",)),
)


def clip_after_unscale(setup: Setup) -> None:
    model, optimizer, x = one_layer(setup)
    scaler = torch.cuda.amp.GradScaler()
    scaler.scale(model(x).sum()).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    scaler.step(optimizer)
    scaler.update()


AS_WRITTEN = AsWritten("unscale-before-clip", "G 4.3", clip_after_unscale, modern="torch.amp.GradScaler(device)")
