"""Deploying in int8 is said to quarter a model's size and make it 3 to 4 times faster, for 1 to 3 % of its accuracy.

The recommended arm quantizes as the document does: int8 weights in the Linear layers, activations quantized at every
call. The variant is the model exported to ONNX and quantized by ONNX Runtime, convolutions and embeddings included.
What a step is and which answers are right is told in half_precision_inference.py.

Theory: only what is quantized shrinks. A network of convolutions has next to nothing in Linear layers, and of MiniLM's
22.7 million numbers 11.9 are embeddings: 47 % of it in int8 leave 1 - 0.75 x 0.47 = 65 % of its size. The products get
up to four times faster where the CPU multiplies int8 (VNNI), and everything between them stays as slow as it was.
"""

from bench import Axis, Needs, Pair, Step, accuracy, may_differ, share, size, time
from suites.workloads import exporting
from suites.workloads.compressing import quantized, share_in_int8
from suites.workloads.deployed import SERVED, Deployment, answers_in, deploy, deployment, serve, share_right
from suites.workloads.sentences import PACKAGES


def float32(d: Deployment) -> Step:
    return deploy(d, d.model, int8=0.0)


def as_the_document_does(d: Deployment) -> Step:
    model = quantized(d.model)
    return deploy(d, model, int8=share_in_int8(d.model, model))


def onnx_runtime(d: Deployment) -> Step:
    path = exporting.put_in(d.folder, exporting.exported_in_int8(d))
    return serve(d, exporting.session(path), int8=exporting.share_in_8_bits(path))


PAIR = Pair(
    claims=("int8-inference",),
    inputs=deployment,
    anti_pattern=float32,
    recommended=as_the_document_does,
    variants={"onnx_runtime": onnx_runtime},
    same=may_differ("the output", because="int8 weights round it; the accuracy says what that costs"),
    metrics=(
        time,
        SERVED,
        size,
        accuracy(share_right, name="right answers", of=answers_in),
        share(lambda r: r["int8"], "share in int8", better="higher"),
    ),
    axis=Axis(
        "model-batch",
        full=("digits-cnn-1", "digits-cnn-64", "minilm-1", "minilm-8", "minilm-64"),
        quick=("digits-cnn-1", "digits-cnn-64", "minilm-8"),
        smoke=("digits-cnn-64", "minilm-8"),
    ),
    needs=Needs(cpu=True, packages=("sklearn", *PACKAGES, *exporting.PACKAGES)),
    inputs_read="at set-up",
    timeout=120,
)
