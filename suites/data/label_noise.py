"""Bad results are said to come from wrong labels more often than from the architecture.

Digits are trained on with a share of their labels wrong, at random, and tested on right ones. The anti-pattern answers
with a wider network, the recommended arm with right labels for the narrow one. Variants: the narrow network on the
wrong labels, and the wide one on the right ones.

Theory: a network with more weights than samples can learn wrong labels by heart, and a wider one does so sooner, given
the time: 38 epochs here. Stopped earlier, it has learned the many right ones only. Random errors point nowhere
together, so a few cost little and width can outweigh them. Errors that agree, as one annotator's do, are worse.
"""

from dataclasses import replace

import torch
from torch import Tensor

from bench import Axis, Needs, Pair, Setup, Step, accuracy, may_differ
from suites.workloads.digits import CLASSES, Digits, answers_in, load_digits, perceptron, share_right, train

NARROW, WIDE = 32, 256
Labelled = tuple[Digits, Digits, int, int]


def labelled(setup: Setup) -> Labelled:
    """The digits with right labels, with the point's percentage of wrong ones, the steps of a training, the seed."""
    digits, generator = load_digits(setup.seed), torch.Generator().manual_seed(setup.seed)
    wrong = torch.rand(len(digits.train_y), generator=generator) < setup.point(int) / 100
    other = (digits.train_y + torch.randint(1, CLASSES, digits.train_y.shape, generator=generator)) % CLASSES
    noisy = replace(digits, train_y=torch.where(wrong, other, digits.train_y))
    return digits, noisy, setup.pick(full=400, smoke=3), setup.seed


def trained(digits: Digits, width: int, steps: int, seed: int) -> Step:
    def step() -> dict[str, Tensor]:
        torch.manual_seed(seed)
        model = perceptron(width)
        train(model, digits, steps, seed)
        with torch.inference_mode():
            return {"logits": model(digits.test_x), "labels": digits.test_y}

    return step


def wider_on_wrong_labels(data: Labelled) -> Step:
    _, noisy, steps, seed = data
    return trained(noisy, WIDE, steps, seed)


def right_labels(data: Labelled) -> Step:
    right, _, steps, seed = data
    return trained(right, NARROW, steps, seed)


def narrow_on_wrong_labels(data: Labelled) -> Step:
    _, noisy, steps, seed = data
    return trained(noisy, NARROW, steps, seed)


def wider_on_right_labels(data: Labelled) -> Step:
    right, _, steps, seed = data
    return trained(right, WIDE, steps, seed)


PAIR = Pair(
    claims=("label-noise",),
    inputs=labelled,
    anti_pattern=wider_on_wrong_labels,
    recommended=right_labels,
    variants={"narrow_on_wrong_labels": narrow_on_wrong_labels, "wider_on_right_labels": wider_on_right_labels},
    same=may_differ("the predictions", because="what labels and width are worth is what is measured"),
    metrics=(accuracy(share_right, of=answers_in),),
    axis=Axis("percent-wrong", full=(2, 5, 20, 40), quick=(5, 20)),
    seeds=16,
    needs=Needs(cpu=True, packages=("sklearn",)),
)
