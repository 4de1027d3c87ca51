"""Gradients are said to need scaler.unscale_() before they are clipped, since otherwise scaled ones are clipped.

The anti-pattern clips and lets scaler.step() unscale afterwards, the recommended arm unscales first. Two variants are
the field guide's: its lines in their order, which clip before the backward, and its loop, which clips without a scaler
anywhere. The limit is half or twice the gradient's true length; the update is compared with the one in float64.

Theory: with a scale of S every scaled gradient is longer than the limit, so it is cut to the limit and then divided by
S: the update has the length limit / S, and training stands still. Its direction is right, so that Adam, which divides
by the gradient's own size, hides most of the fault; not all, as what is left of the gradient nears its eps of 1e-8.
"""

from torch import Tensor

from bench import AsWritten, Axis, Pair, Step, error, may_differ, share
from suites.workloads.clipping import Clipping, Update, clipping, length_of_update
from suites.workloads.compare import error_of
from suites.workloads.one_layer import clipped_with_scaler_as_written


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
AS_WRITTEN = AsWritten(
    "unscale-before-clip", "G 4.3", clipped_with_scaler_as_written, modern="torch.amp.GradScaler(device)"
)
