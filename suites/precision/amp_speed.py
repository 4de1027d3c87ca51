"""Mixed precision training is said to be faster.

A step trains a model on a batch; the anti-pattern in float32, the recommended arm with float16 autocast and a scaler.
Variants: bfloat16 without a scaler, and float32 whose products may use TF32, the baseline to beat.

Theory: half precision has tensor cores and moves half the bytes, but casts weights and activations at every step. Small
layers and batches are bound by launching kernels, of which autocast adds more. TF32 takes half of what there is to
gain, for one line.
"""

import torch

from bench import AsWritten, Axis, Needs, Pair, Step, time, within
from suites.workloads.mixed_precision import Task, task, training
from suites.workloads.one_layer import with_scaler_as_written, without_scaler_as_written


def in_float32(t: Task) -> Step:
    return training(t, t.model(), None)


def in_float16(t: Task) -> Step:
    return training(t, t.model(), torch.float16)


def in_bfloat16(t: Task) -> Step:
    return training(t, t.model(), torch.bfloat16)


def in_tf32(t: Task) -> Step:
    torch.set_float32_matmul_precision("high")
    return training(t, t.model(), None)


PAIR = Pair(
    claims=("amp-speed",),
    inputs=task,
    anti_pattern=in_float32,
    recommended=in_float16,
    variants={"bfloat16": in_bfloat16, "tf32": in_tf32},
    same=within(rtol=2e-2, atol=2e-2),
    metrics=(time,),
    axis=Axis(
        "model",
        full=("dense-large-batch", "convolutions", "transformer"),
        quick=("convolutions", "transformer"),
        outside=("dense-small-batch",),
    ),
    needs=Needs(cuda=True),
)

MODERN = "torch.amp.GradScaler(device), torch.autocast(device)"
AS_WRITTEN_G = AsWritten("amp-speed", "G 4.3", with_scaler_as_written, modern=MODERN)
AS_WRITTEN_F = AsWritten("amp-speed", "F 3", without_scaler_as_written, modern=f"{MODERN}; the loop lacks the scaler")
