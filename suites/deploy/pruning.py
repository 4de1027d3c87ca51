"""Pruning a fifth of a network's connections, the smallest ones, is said to lighten a model for its deployment.

A convolutional network trained on digits; the recommended arm prunes the given percentage of all convolution weights by
their size (L1, globally) and makes it permanent. Variants: ``masks_kept`` stops where the document's snippet does, and
two arms deflate the file, once of the dense and once of the pruned model. A step classifies all 449 test images.

Theory: pruned weights are zeros, stored and multiplied like any other number, so neither file nor time can shrink until
something compresses the zeros; masks that stay are as large as the weights and cost a product each at every forward
(PyTorch's pruning tutorial: a buffer weight_mask beside weight_orig, multiplied in a hook before each forward).
(As written, the document's torch.nn.prune does not exist; the module is torch.nn.utils.prune.)
"""

import torch
from torch import nn

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, accuracy, may_differ, share, size, time
from suites.workloads.compressing import pruned, share_of_zeros
from suites.workloads.deployed import SERVED, Deployment, answers_in, classifier, deploy, share_right
from suites.workloads.digits import convolutions

LAYERS = (nn.Conv2d,)


def network(setup: Setup) -> Deployment:
    return classifier(setup, convolutions, setup.pick(full=32, smoke=4), batch=64, percent=setup.point(int))


def served(d: Deployment, model: nn.Module, deflate: bool = False) -> Step:
    return deploy(d, model, deflate=deflate, zeros=share_of_zeros(model, LAYERS))


def dense(d: Deployment) -> Step:
    return served(d, d.model)


def prune_for_good(d: Deployment) -> Step:
    return served(d, pruned(d.model, d.percent, LAYERS))


def masks_kept(d: Deployment) -> Step:
    return served(d, pruned(d.model, d.percent, LAYERS, for_good=False))


def dense_deflated(d: Deployment) -> Step:
    return served(d, d.model, deflate=True)


def pruned_deflated(d: Deployment) -> Step:
    return served(d, pruned(d.model, d.percent, LAYERS), deflate=True)


def as_written(setup: Setup) -> None:
    model = convolutions(4)
    weights = [(module, "weight") for module in model.modules() if isinstance(module, nn.Conv2d)]
    torch.nn.utils.prune.global_unstructured(weights, pruning_method=torch.nn.prune.L1Unstructured, amount=0.2)


AS_WRITTEN = AsWritten(
    claim="pruning",
    where="F 5",
    usage=as_written,
    modern="pruning_method=torch.nn.utils.prune.L1Unstructured, then torch.nn.utils.prune.remove() for every layer",
)
PAIR = Pair(
    claims=("pruning",),
    inputs=network,
    anti_pattern=dense,
    recommended=prune_for_good,
    variants={"masks_kept": masks_kept, "dense_deflated": dense_deflated, "pruned_deflated": pruned_deflated},
    same=may_differ("the output", because="connections are missing; the accuracy says what that costs"),
    metrics=(
        size,
        time,
        SERVED,
        accuracy(share_right, of=answers_in),
        share(lambda r: r["zeros"], "sparsity", better="higher"),
    ),
    axis=Axis("percent", full=(20,), outside=(50, 90)),
    needs=Needs(packages=("sklearn",)),
    inputs_read="at set-up",
)
