"""Pruning and int8 together are said to leave 10 to 20 % of a model's size, 5 times faster, at 3 to 5 % less accuracy.

The recommended arm takes the named percentage of all weights of Conv2d and Linear layers away, the smallest ones, makes
that permanent, and quantizes the Linear layers. Variants: each of the two alone, and both with the file deflated, which
is what turns zeros into fewer bytes. Models: a perceptron trained on digits, almost all of it in Linear layers and so
the best case; the convolutional network; MiniLM. Batches are of 64 images and of 8 lines.

Theory: int8 leaves a quarter of what is in Linear layers, and nothing of the promised 10 to 20 % can come from zeros
that are stored and multiplied like other numbers. Deflated, a weight costs about its entropy: at 20 % pruned hardly
less than in int8, at 90 % near a bit. (As the document writes it, Conv2d is pruned and Linear quantized, so that no
layer has both; this pair is kinder.)
"""

from torch import nn

from bench import Axis, Needs, Pair, Setup, Step, accuracy, may_differ, share, size, time
from suites.workloads.compressing import pruned, quantized, share_of_zeros
from suites.workloads.deployed import SERVED, Deployment, answers_in, classifier, deploy, encoder, share_right
from suites.workloads.digits import convolutions, perceptron
from suites.workloads.sentences import PACKAGES

LAYERS = (nn.Conv2d, nn.Linear)


def model_to_prune(setup: Setup) -> Deployment:
    model, _, percent = setup.point(str).rpartition("-")
    if model == "minilm":
        return encoder(setup, batch=8, percent=int(percent))
    build, width = {"perceptron": (perceptron, 512), "digits-cnn": (convolutions, 32)}[model]
    return classifier(setup, build, setup.pick(full=width, smoke=16), batch=64, percent=int(percent))


def all_percents(model: str) -> list[str]:
    return [f"{model}-{percent}" for percent in (20, 50, 90)]


def original(d: Deployment) -> Step:
    return deploy(d, d.model, zeros=0.0)


def pruned_only(d: Deployment) -> Step:
    model = pruned(d.model, d.percent, LAYERS)
    return deploy(d, model, zeros=share_of_zeros(model, LAYERS))


def quantized_only(d: Deployment) -> Step:
    return deploy(d, quantized(d.model), zeros=0.0)


def both(d: Deployment, deflate: bool = False) -> Step:
    model = pruned(d.model, d.percent, LAYERS)
    return deploy(d, quantized(model), deflate=deflate, zeros=share_of_zeros(model, LAYERS))


def pruned_and_quantized(d: Deployment) -> Step:
    return both(d)


def both_deflated(d: Deployment) -> Step:
    return both(d, deflate=True)


PAIR = Pair(
    claims=("prune-and-quantize",),
    inputs=model_to_prune,
    anti_pattern=original,
    recommended=pruned_and_quantized,
    variants={"pruned_only": pruned_only, "quantized_only": quantized_only, "both_deflated": both_deflated},
    same=may_differ("the output", because="weights are missing and rounded; the accuracy says what that costs"),
    metrics=(
        size,
        time,
        SERVED,
        accuracy(share_right, of=answers_in),
        share(lambda r: r["zeros"], "sparsity", better="higher"),
    ),
    axis=Axis(
        "model-percent",
        full=(*all_percents("perceptron"), *all_percents("digits-cnn"), *all_percents("minilm")),
        quick=("perceptron-20", "perceptron-90"),
        smoke=("perceptron-50",),
    ),
    needs=Needs(cpu=True, packages=("sklearn", *PACKAGES)),
    inputs_read="at set-up",
)
