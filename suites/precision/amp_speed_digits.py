"""Mixed precision training is said to be faster; here it learns handwritten digits, and the accuracy is told.

A perceptron is trained for some steps and tested; the anti-pattern trains in float32, the recommended arm with float16
autocast and a scaler, the variant in bfloat16 without one.

Theory: half precision casts weights and activations at every step. Small layers and batches are bound by launching
kernels, of which autocast adds more.
"""

import torch

from bench import Axis, Needs, Pair, Step, accuracy, may_differ, time
from suites.workloads.digits import answers_in, share_right
from suites.workloads.digits_in_half import Lesson, learn, lesson


def in_float32(one: Lesson) -> Step:
    return lambda: learn(one, None)


def in_float16(one: Lesson) -> Step:
    return lambda: learn(one, torch.float16)


def in_bfloat16(one: Lesson) -> Step:
    return lambda: learn(one, torch.bfloat16)


PAIR = Pair(
    claims=("amp-speed",),
    inputs=lesson,
    anti_pattern=in_float32,
    recommended=in_float16,
    variants={"bfloat16": in_bfloat16},
    same=may_differ("the logits", because="the accuracy that they give is measured"),
    metrics=(time, accuracy(share_right, of=answers_in)),
    axis=Axis("width", outside=(64,)),
    needs=Needs(packages=("sklearn",)),
)
