"""Pruning a fifth of a network's connections, the smallest ones, is said to lighten a model for its deployment.

A convolutional network trained on digits; the recommended arm prunes the given percentage of all convolution weights by
their size (L1, globally) and makes it permanent. Variants: ``masks_kept`` stops where the document's snippet does, and
two arms deflate the file, once of the dense and once of the pruned model. A step classifies all 449 test images.

Theory: pruned weights are zeros, stored and multiplied like any other number, so neither file nor time can shrink until
something compresses the zeros; masks that stay are as large as the weights and cost a product each at every forward.
(As written, the document's torch.nn.prune does not exist; the module is torch.nn.utils.prune.)
"""

import copy

from torch import nn
from torch.nn.utils import prune

from bench import Axis, Needs, Pair, Setup, Step, accuracy, may_differ, share, size, time
from suites.workloads.deployed import Deployment, deployment, predict
from suites.workloads.digits import convolutions, share_right


def network(setup: Setup) -> Deployment:
    return deployment(setup, "convolutions", setup.pick(full=32, smoke=4), convolutions, percent=setup.point(int))


def pruned(d: Deployment, for_good: bool) -> nn.Module:
    model = copy.deepcopy(d.model)
    weights = [(m, "weight") for m in model.modules() if isinstance(m, nn.Conv2d)]
    prune.global_unstructured(weights, pruning_method=prune.L1Unstructured, amount=d.percent / 100)
    for module, name in weights if for_good else []:
        prune.remove(module, name)
    return model


def dense(d: Deployment) -> Step:
    return predict(d, d.model)


def prune_for_good(d: Deployment) -> Step:
    return predict(d, pruned(d, for_good=True))


def masks_kept(d: Deployment) -> Step:
    return predict(d, pruned(d, for_good=False))


def dense_deflated(d: Deployment) -> Step:
    return predict(d, d.model, deflate=True)


def pruned_deflated(d: Deployment) -> Step:
    return predict(d, pruned(d, for_good=True), deflate=True)


PAIR = Pair(
    claims=("pruning",),
    inputs=network,
    anti_pattern=dense,
    recommended=prune_for_good,
    variants={"masks_kept": masks_kept, "dense_deflated": dense_deflated, "pruned_deflated": pruned_deflated},
    same=may_differ("the logits", because="connections are missing; the accuracy says what that costs"),
    metrics=(size, time, accuracy(share_right), share(lambda r: r["zeros"], "sparsity", better="higher")),
    axis=Axis("percent", full=(20,), outside=(50, 90)),
    needs=Needs(packages=("sklearn",)),
    inputs_read="at set-up",
)
