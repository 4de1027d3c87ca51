"""Quantizing the linear layers dynamically is said to make a model smaller and its inference faster.

A perceptron trained on digits; the recommended arm calls quantize_dynamic on its Linear layers as the document does,
with int8 weights. A step classifies all 449 test images in batches of 64; the file holds the state_dict.

Theory: activations are quantized anew at every call, which narrow layers do not win back. A network of convolutions has
hardly a Linear in it, so there nothing is quantized and neither size nor time can change: that is the second pair.
"""

import torch
from torch import nn

from bench import Axis, Needs, Pair, Setup, Step, accuracy, may_differ, size, time
from suites.workloads.deployed import Deployment, deployment, predict
from suites.workloads.digits import convolutions, perceptron, share_right

ROUNDED = may_differ("the logits", because="int8 weights round them; the accuracy says what that costs")


def linear_layers(setup: Setup) -> Deployment:
    return deployment(setup, "perceptron", setup.point(int), perceptron)


def convolutional_layers(setup: Setup) -> Deployment:
    return deployment(setup, "convolutions", setup.point(int), convolutions)


def float32(d: Deployment) -> Step:
    return predict(d, d.model)


def int8(d: Deployment) -> Step:
    return predict(d, torch.ao.quantization.quantize_dynamic(d.model, {nn.Linear}, dtype=torch.qint8))


PAIR = Pair(
    claims=("dynamic-quantization",),
    inputs=linear_layers,
    anti_pattern=float32,
    recommended=int8,
    same=ROUNDED,
    metrics=(time, size, accuracy(share_right)),
    axis=Axis("width", full=(64, 256, 1024), smoke=(16,)),
    needs=Needs(cpu=True, packages=("sklearn",)),
    inputs_read="at set-up",
)
CONVOLUTIONS = Pair(
    claims=("dynamic-quantization",),
    inputs=convolutional_layers,
    anti_pattern=float32,
    recommended=int8,
    same=ROUNDED,
    metrics=(time, size, accuracy(share_right)),
    axis=Axis("width", outside=(32,)),
    needs=Needs(cpu=True, packages=("sklearn",)),
    inputs_read="at set-up",
    name="dynamic-quantization-convolutions",
)
