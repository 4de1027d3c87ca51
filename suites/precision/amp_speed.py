"""Mixed precision training is said to be faster.

A step trains a model on a batch; the anti-pattern in float32, the recommended arm with float16 autocast and a scaler.
Variants: bfloat16 without a scaler, and float32 whose products may use TF32, the baseline to beat. The second pair
trains on handwritten digits and tells the accuracy, the third is for the CPU: bfloat16 autocast, and the same with
oneDNN held to AVX2, as on a CPU that has no instructions for bfloat16.

Theory: half precision has tensor cores and moves half the bytes, but casts weights and activations at every step. Small
layers and batches are bound by launching kernels, of which autocast adds more. TF32 takes half of what there is to
gain, for one line. oneDNN multiplies bfloat16 from AVX-512 upwards only; below, PyTorch's own plain loops take over.
"""

import torch

from bench import AsWritten, Axis, Needs, Pair, Step, accuracy, may_differ, time, within
from suites.workloads.digits import answers_in, share_right
from suites.workloads.digits_in_half import Lesson, learn, lesson
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


def digits_in_float32(one: Lesson) -> Step:
    return lambda: learn(one, None)


def digits_in_float16(one: Lesson) -> Step:
    return lambda: learn(one, torch.float16)


def digits_in_bfloat16(one: Lesson) -> Step:
    return lambda: learn(one, torch.bfloat16)


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
DIGITS = Pair(
    claims=("amp-speed",),
    inputs=lesson,
    anti_pattern=digits_in_float32,
    recommended=digits_in_float16,
    variants={"bfloat16": digits_in_bfloat16},
    same=may_differ("the logits", because="the accuracy that they give is measured"),
    metrics=(time, accuracy(share_right, of=answers_in)),
    axis=Axis("width", outside=(64,)),
    needs=Needs(packages=("sklearn",)),
    name="amp-speed-digits",
)
ON_CPU = Pair(
    claims=("amp-speed",),
    inputs=task,
    anti_pattern=in_float32,
    recommended=in_bfloat16,
    variants={"bfloat16_held_to_avx2": in_bfloat16},
    same=within(rtol=5e-2, atol=5e-2),
    metrics=(time,),
    axis=Axis("model", full=("dense-small-batch", "dense-middle-batch"), quick=("dense-small-batch",)),
    needs=Needs(cpu=True),
    environment={"bfloat16_held_to_avx2": {"ONEDNN_MAX_CPU_ISA": "AVX2"}},
    name="amp-speed-on-cpu",
)

MODERN = "torch.amp.GradScaler(device), torch.autocast(device)"
AS_WRITTEN_G = AsWritten("amp-speed", "G 4.3", with_scaler_as_written, modern=MODERN)
AS_WRITTEN_F = AsWritten("amp-speed", "F 3", without_scaler_as_written, modern=f"{MODERN}; the loop lacks the scaler")
