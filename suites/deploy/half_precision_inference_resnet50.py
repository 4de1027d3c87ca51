"""Deploying in half precision is said to halve a model's size and make it 1.5 to 2 times faster; here ResNet-50.

Its weights are random and what it answers means nothing, so it is for time and size. The recommended arm has weights
and inputs in float16, the variant in bfloat16; the file holds the state_dict.

Theory: that of half_precision_inference.py; a convolution uses each weight many times, so that reading halves saves
little and the arithmetic decides.
"""

import torch

from bench import Axis, Pair, Step, may_differ, size, time
from suites.workloads.deployed import SERVED, Deployment, deploy, deploy_in, deployment


def float32(d: Deployment) -> Step:
    return deploy(d, d.model)


def float16(d: Deployment) -> Step:
    return deploy_in(d, torch.float16)


def bfloat16(d: Deployment) -> Step:
    return deploy_in(d, torch.bfloat16)


PAIR = Pair(
    claims=("half-precision-inference",),
    inputs=deployment,
    anti_pattern=float32,
    recommended=float16,
    variants={"bfloat16": bfloat16},
    same=may_differ("the output", because="halves round it; the accuracy says what that costs"),
    metrics=(time, SERVED, size),
    axis=Axis("model-batch", full=("resnet50-1", "resnet50-32"), quick=("resnet50-1",)),
    inputs_read="at set-up",
    seeds=2,
)
