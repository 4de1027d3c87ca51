"""Quantizing the linear layers dynamically is said to make a model smaller and its inference faster.

A perceptron trained on digits, at every width and batch size of a grid; the recommended arm calls quantize_dynamic on
its Linear layers as the document does, with int8 weights. A step classifies all 449 test images; the file holds the
state_dict. What PyTorch points to instead of this function is in dynamic_quantization_torchao.py.

Theory: activations are quantized anew at every call, which narrow layers do not win back. A single row leaves nothing
but reading the weights, of which int8 has a quarter.
"""

import torch
from torch import nn

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, accuracy, may_differ, size, time
from suites.workloads.compressing import quantized
from suites.workloads.deployed import Deployment, answers_in, deploy, perceptron_on_digits, share_right
from suites.workloads.digits import perceptron


def float32(d: Deployment) -> Step:
    return deploy(d, d.model)


def int8(d: Deployment) -> Step:
    return deploy(d, quantized(d.model))


def as_written(setup: Setup) -> None:
    torch.quantization.quantize_dynamic(perceptron(8), {nn.Linear}, dtype=torch.qint8)


PAIR = Pair(
    claims=("dynamic-quantization",),
    inputs=perceptron_on_digits,
    anti_pattern=float32,
    recommended=int8,
    same=may_differ("the output", because="int8 weights round it; the accuracy says what that costs"),
    metrics=(time, size, accuracy(share_right, of=answers_in)),
    axis=Axis(
        "width x batch",
        full=("64x1", "64x64", "256x1", "256x64", "1024x1", "1024x64"),
        quick=("64x64", "256x64", "1024x64"),
        smoke=("16x64",),
    ),
    needs=Needs(cpu=True, packages=("sklearn",)),
    inputs_read="at set-up",
)
AS_WRITTEN = AsWritten(
    claim="dynamic-quantization",
    where="F 5",
    usage=as_written,
    modern="torchao.quantization.quantize_(model, Int8DynamicActivationInt8WeightConfig())",
)
