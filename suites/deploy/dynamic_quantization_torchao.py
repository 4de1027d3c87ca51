"""Quantizing the linear layers dynamically by torchao, to which the deprecation of quantize_dynamic points.

The same perceptron and the same step as in dynamic_quantization.py; the recommended arm has int8 weights with a scale
per row and quantizes the activations per row at every call. The point lies outside the claim's words, which are about
another function.

Theory: torchao is made to be compiled. Its eager steps, as here, pass over the activations several times before the
product and after it, which the quicker product has to win back first.
"""

from bench import Axis, Needs, Pair, Step, accuracy, may_differ, size, time
from suites.workloads.compressing import quantized_today
from suites.workloads.deployed import Deployment, answers_in, deploy, perceptron_on_digits, share_right


def float32(d: Deployment) -> Step:
    return deploy(d, d.model)


def torchao(d: Deployment) -> Step:
    return deploy(d, quantized_today(d.model))


PAIR = Pair(
    claims=("dynamic-quantization",),
    inputs=perceptron_on_digits,
    anti_pattern=float32,
    recommended=torchao,
    same=may_differ("the output", because="int8 weights round it; the accuracy says what that costs"),
    metrics=(time, size, accuracy(share_right, of=answers_in)),
    axis=Axis("width x batch", outside=("1024x64",), smoke=("16x64",)),
    needs=Needs(cpu=True, packages=("sklearn", "torchao")),
    inputs_read="at set-up",
)
