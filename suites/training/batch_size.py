"""Where the GPU is the bottleneck, a larger batch is said to help.

One epoch over the same random samples, forward, backward and update: in small batches, in batches so many times as
large, and in batches half as large as those, which tells whether the last doubling still gained. The second pair trains
on digits for ten epochs and tests what was learned; its variant raises the rate with the batch.

Theory: every update has a cost that does not depend on the batch (launching kernels, reading all weights and writing
them), which a larger batch spreads over more samples, until the device is busy throughout: from there on twice the
batch takes twice as long. The same epochs are fewer updates, so at the same rate the model has learned less.
"""

import copy
from dataclasses import dataclass

import torch

from bench import Axis, Needs, Pair, Setup, Step, accuracy, may_differ, throughput, time
from suites.workloads.batches import SMALL, Epochs, digits_by_batch, trained_in
from suites.workloads.digits import answers_in, share_right
from suites.workloads.labelled import Labelled, labelled, update

MOST = 32
RATE = 0.1


@dataclass(frozen=True)
class Epoch:
    """A model, samples that every batch size divides, the small batch, and how many times larger the other is."""

    work: Labelled
    small: int
    times: int


def random_samples(setup: Setup) -> Epoch:
    torch.manual_seed(setup.seed)
    small, width = setup.pick(full=16, smoke=1, cuda=256), setup.pick(full=128, smoke=4, cuda=2048)
    return Epoch(labelled(MOST * small, width, depth=4, device=setup.device), small, setup.point(int))


def one_epoch(e: Epoch, batch: int) -> Step:
    model = copy.deepcopy(e.work.model)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def step() -> dict[str, object]:
        for x, labels in zip(e.work.x.split(batch), e.work.labels.split(batch), strict=True):
            loss = update(optimizer, model, x, labels)
        return {"loss": loss, "samples": len(e.work.x)}

    return step


def small_batches(e: Epoch) -> Step:
    return one_epoch(e, e.small)


def larger_batches(e: Epoch) -> Step:
    return one_epoch(e, e.small * e.times)


def half_of_that(e: Epoch) -> Step:
    return one_epoch(e, e.small * e.times // 2)


def digits_in_small_batches(e: Epochs) -> Step:
    return trained_in(e, SMALL, RATE)


def digits_in_larger_batches(e: Epochs) -> Step:
    return trained_in(e, e.large, RATE)


def digits_at_a_larger_rate_too(e: Epochs) -> Step:
    return trained_in(e, e.large, RATE * e.large / SMALL)


SAMPLES_PER_SECOND = throughput(lambda r: r["samples"], "samples per second")
PAIR = Pair(
    claims=("batch-size",),
    inputs=random_samples,
    anti_pattern=small_batches,
    recommended=larger_batches,
    variants={"half_of_that": half_of_that},
    same=may_differ("the weights", because="the same samples are fewer updates"),
    metrics=(SAMPLES_PER_SECOND, time),
    axis=Axis("times", full=(2, 4, 8, 16, 32), quick=(4, 32), smoke=(4,)),
)
ACCURACY = Pair(
    claims=("batch-size",),
    inputs=digits_by_batch,
    anti_pattern=digits_in_small_batches,
    recommended=digits_in_larger_batches,
    variants={"at_a_larger_rate_too": digits_at_a_larger_rate_too},
    same=may_differ("what is learned", because="the same epochs are fewer updates"),
    metrics=(SAMPLES_PER_SECOND, accuracy(share_right, of=answers_in)),
    axis=Axis("batch", outside=(64, 512)),
    name="batch-size-accuracy",
    needs=Needs(packages=("sklearn",)),
)
