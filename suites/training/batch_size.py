"""Where the GPU is the bottleneck, a larger batch is said to help.

One epoch over the same random samples, forward, backward and update: in small batches, in batches so many times as
large, and in batches half as large as those, which tells whether the last doubling still gained.

Theory: every update has a cost that does not depend on the batch (launching kernels, reading all weights and writing
them), which a larger batch spreads over more samples, until the device is busy throughout: from there on twice the
batch takes twice as long.
"""

import copy
from dataclasses import dataclass

import torch

from bench import Axis, Pair, Setup, Step, may_differ, throughput, time
from suites.workloads.labelled import Labelled, labelled, update

MOST = 32


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


PAIR = Pair(
    claims=("batch-size",),
    inputs=random_samples,
    anti_pattern=small_batches,
    recommended=larger_batches,
    variants={"half_of_that": half_of_that},
    same=may_differ("the weights", because="the same samples are fewer updates"),
    metrics=(throughput(lambda r: r["samples"], "samples per second"), time),
    axis=Axis("times", full=(2, 4, 8, 16, 32), quick=(4, 32), smoke=(4,)),
)
