"""Deploying in int8 is said to quarter a model's size and make it 3 to 4 times faster; here by torchao, today's way.

PyTorch sends its users there now, on CPU and GPU. The recommended arm has int8 weights in the Linear layers and
quantizes the activations at every call. What a step is and which answers are right is told in
half_precision_inference.py.

Theory: only what is quantized shrinks, and of MiniLM's 22.7 million numbers 11.9 are embeddings. torchao is made to be
compiled; each of its eager steps passes over the activations several times.
"""

from bench import Axis, Needs, Pair, Step, accuracy, may_differ, share, size, time
from suites.workloads.compressing import quantized_today, share_in_int8
from suites.workloads.deployed import SERVED, Deployment, answers_in, deploy, deployment, share_right
from suites.workloads.sentences import PACKAGES


def float32(d: Deployment) -> Step:
    return deploy(d, d.model, int8=0.0)


def torchao(d: Deployment) -> Step:
    model = quantized_today(d.model)
    return deploy(d, model, int8=share_in_int8(d.model, model))


PAIR = Pair(
    claims=("int8-inference",),
    inputs=deployment,
    anti_pattern=float32,
    recommended=torchao,
    same=may_differ("the output", because="int8 weights round it; the accuracy says what that costs"),
    metrics=(
        time,
        SERVED,
        size,
        accuracy(share_right, name="right answers", of=answers_in),
        share(lambda r: r["int8"], "share in int8", better="higher"),
    ),
    axis=Axis("model-batch", full=("minilm-1", "minilm-8", "minilm-64"), quick=("minilm-8",), smoke=("minilm-8",)),
    needs=Needs(packages=("torchao", *PACKAGES)),
    inputs_read="at set-up",
)
