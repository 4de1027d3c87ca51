"""Mixed precision training is said to be faster; here on a CPU, whose type for autocast is bfloat16.

A step trains a model on a batch; the anti-pattern in float32, the recommended arm with bfloat16 autocast. In the
variant oneDNN is held to AVX2, as on a CPU that has no instructions for bfloat16.

Theory: oneDNN multiplies bfloat16 from AVX-512 upwards only; below, PyTorch's own plain loops take over.
"""

import torch

from bench import Axis, Needs, Pair, Step, time, within
from suites.workloads.mixed_precision import Task, task, training


def in_float32(t: Task) -> Step:
    return training(t, t.model(), None)


def in_bfloat16(t: Task) -> Step:
    return training(t, t.model(), torch.bfloat16)


PAIR = Pair(
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
)
