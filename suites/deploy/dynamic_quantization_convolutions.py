"""Quantizing the linear layers dynamically is said to make a model smaller and faster; convolutions have hardly any.

A network of convolutions trained on digits classifies the 449 test images; the recommended arm calls quantize_dynamic
on its Linear layers as the document does. The file holds the state_dict.

Theory: a network of convolutions has hardly a Linear in it, so there nothing is quantized and neither size nor time can
change.
"""

from bench import Axis, Needs, Pair, Setup, Step, accuracy, may_differ, size, time
from suites.workloads.compressing import quantized
from suites.workloads.deployed import Deployment, answers_in, classifier, deploy, share_right
from suites.workloads.digits import convolutions


def convolutional_layers(setup: Setup) -> Deployment:
    return classifier(setup, convolutions, setup.point(int), batch=64)


def float32(d: Deployment) -> Step:
    return deploy(d, d.model)


def int8(d: Deployment) -> Step:
    return deploy(d, quantized(d.model))


PAIR = Pair(
    claims=("dynamic-quantization",),
    inputs=convolutional_layers,
    anti_pattern=float32,
    recommended=int8,
    same=may_differ("the output", because="int8 weights round it; the accuracy says what that costs"),
    metrics=(time, size, accuracy(share_right, of=answers_in)),
    axis=Axis("width", outside=(32,)),
    needs=Needs(cpu=True, packages=("sklearn",)),
    inputs_read="at set-up",
)
