"""Deploying in half precision is said to halve a model's size and make it 1.5 to 2 times faster, at less than 1 % loss.

The recommended arm has weights and inputs in float16, the variant in bfloat16; the file holds the state_dict. At the
points ``digits-cnn-B`` a step classifies all 449 test images in batches of B, and the answers are right if they are the
labels; at ``minilm-B`` it embeds lines of text in batches of B, and right are the ten lines that float32 finds nearest
to each.

Theory: half the bytes per number halve the file always, and the time only where the hardware calculates in halves or
waits for memory. A GPU does both. A CPU without float16 units converts every operand to and fro, which costs many times
what it saves: on x86 those units are the extension AVX512-FP16 (Intel's manual, volume 1), which few have. Many have
bfloat16 units (AVX512-BF16), so that the variant shows what the format costs and what the conversion does.
"""

import torch

from bench import Axis, Needs, Pair, Step, accuracy, may_differ, size, time
from suites.workloads.deployed import SERVED, Deployment, answers_in, deploy, deploy_in, deployment, share_right
from suites.workloads.sentences import PACKAGES


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
    metrics=(time, SERVED, size, accuracy(share_right, name="right answers", of=answers_in)),
    axis=Axis(
        "model-batch",
        full=("digits-cnn-1", "digits-cnn-64", "minilm-1", "minilm-8", "minilm-64"),
        quick=("digits-cnn-1", "digits-cnn-64", "minilm-1"),
        smoke=("digits-cnn-64", "minilm-8"),
    ),
    needs=Needs(packages=("sklearn", *PACKAGES)),
    inputs_read="at set-up",
    timeout=120,
)
