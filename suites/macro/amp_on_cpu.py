"""Mixed precision in the training of a whole network on a CPU: bfloat16, and a transformer encoder on text.

The anti-pattern trains in float32, the recommended arm with bfloat16 autocast and no scaler. Both use the fused
optimizer, so that the update, which stays in float32, weighs little.

Theory: what is kept for the backward shrinks to half, but weights, gradients and the optimizer's state stay in float32
and autocast keeps a second copy of the weights, so the memory saved depends on how far activations outweigh weights.
"""

import torch

from bench import Needs, Pair, Step, peak_memory, time, within
from suites.workloads.practices import Options, Workload, training
from suites.workloads.text import lines
from suites.workloads.texts import PACKAGES


def in_float32(w: Workload) -> Step:
    return training(w, Options(padded_to_batch=True, fused=True))


def in_bfloat16(w: Workload) -> Step:
    return training(w, Options(padded_to_batch=True, fused=True, precision=torch.bfloat16))


PAIR = Pair(
    claims=("amp-speed", "amp-memory"),
    inputs=lines,
    anti_pattern=in_float32,
    recommended=in_bfloat16,
    same=within(rtol=5e-2, atol=5e-2),
    metrics=(time, peak_memory),
    needs=Needs(cpu=True, packages=PACKAGES),
)
