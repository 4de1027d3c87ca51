"""Mixed precision in the training of a whole network: a ResNet on photographs, and a transformer encoder on text.

The anti-pattern trains in float32 (in which cuDNN's convolutions use TF32 anyway), the recommended arm with float16
autocast and a scaler, the variant with bfloat16 and none. All use the fused optimizer, so that the update, which stays
in float32, weighs little.

Theory: what is kept for the backward shrinks to half, but weights, gradients and the optimizer's state stay in float32
and autocast keeps a second copy of the weights, so the memory saved depends on how far activations outweigh weights.
"""

import torch

from bench import Axis, Needs, Pair, Setup, Step, peak_memory, time, within
from suites.workloads import text, vision
from suites.workloads.practices import Options, Workload, training
from suites.workloads.texts import PACKAGES

NETWORKS = {"vision": vision.in_memory, "text": text.lines}


def network(setup: Setup) -> Workload:
    return NETWORKS[setup.point(str)](setup)


def in_float32(w: Workload) -> Step:
    return training(w, Options(padded_to_batch=True, fused=True))


def in_float16(w: Workload) -> Step:
    return training(w, Options(padded_to_batch=True, fused=True, precision=torch.float16))


def in_bfloat16(w: Workload) -> Step:
    return training(w, Options(padded_to_batch=True, fused=True, precision=torch.bfloat16))


PAIR = Pair(
    claims=("amp-speed", "amp-memory"),
    inputs=network,
    anti_pattern=in_float32,
    recommended=in_float16,
    variants={"bfloat16": in_bfloat16},
    same=within(rtol=5e-2, atol=5e-2),
    metrics=(time, peak_memory),
    axis=Axis("network", full=("vision", "text"), smoke=("vision", "text")),
    needs=Needs(cuda=True, packages=("sklearn", *PACKAGES)),
)
