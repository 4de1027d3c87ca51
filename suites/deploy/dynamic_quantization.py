"""Quantizing the linear layers dynamically is said to make a model smaller and its inference faster.

A perceptron trained on digits, at every width and batch size of a grid; the recommended arm calls quantize_dynamic on
its Linear layers as the document does, with int8 weights. A step classifies all 449 test images; the file holds the
state_dict. The second pair does the same to a network of convolutions; what PyTorch points to instead of this function
is in dynamic_quantization_torchao.py.

Theory: activations are quantized anew at every call, which narrow layers do not win back. A single row leaves nothing
but reading the weights, of which int8 has a quarter. A network of convolutions has hardly a Linear in it, so there
nothing is quantized and neither size nor time can change.
"""

import torch
from torch import nn

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, accuracy, may_differ, size, time
from suites.workloads.compressing import quantized
from suites.workloads.deployed import Deployment, answers_in, classifier, deploy, share_right
from suites.workloads.digits import convolutions, perceptron

ROUNDED = may_differ("the output", because="int8 weights round it; the accuracy says what that costs")
METRICS = (time, size, accuracy(share_right, of=answers_in))


def linear_layers(setup: Setup) -> Deployment:
    width, batch = setup.point(str).split("x")
    return classifier(setup, perceptron, int(width), int(batch))


def convolutional_layers(setup: Setup) -> Deployment:
    return classifier(setup, convolutions, setup.point(int), batch=64)


def float32(d: Deployment) -> Step:
    return deploy(d, d.model)


def int8(d: Deployment) -> Step:
    return deploy(d, quantized(d.model))


def as_written(setup: Setup) -> None:
    torch.quantization.quantize_dynamic(perceptron(8), {nn.Linear}, dtype=torch.qint8)


AS_WRITTEN = AsWritten(
    claim="dynamic-quantization",
    where="F 5",
    usage=as_written,
    modern="torchao.quantization.quantize_(model, Int8DynamicActivationInt8WeightConfig())",
)
PAIR = Pair(
    claims=("dynamic-quantization",),
    inputs=linear_layers,
    anti_pattern=float32,
    recommended=int8,
    same=ROUNDED,
    metrics=METRICS,
    axis=Axis(
        "width x batch",
        full=("64x1", "64x64", "256x1", "256x64", "1024x1", "1024x64"),
        quick=("64x64", "256x64", "1024x64"),
        smoke=("16x64",),
    ),
    needs=Needs(cpu=True, packages=("sklearn",)),
    inputs_read="at set-up",
)
CONVOLUTIONS = Pair(
    claims=("dynamic-quantization",),
    inputs=convolutional_layers,
    anti_pattern=float32,
    recommended=int8,
    same=ROUNDED,
    metrics=METRICS,
    axis=Axis("width", outside=(32,)),
    needs=Needs(cpu=True, packages=("sklearn",)),
    inputs_read="at set-up",
    name="dynamic-quantization-convolutions",
)
