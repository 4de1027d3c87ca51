"""Pinned memory with non_blocking copies is said to overlap transfer and compute, and so to keep the GPU busy.

Eight batches are copied to the GPU and put through some matrix products. The anti-pattern copies pageable batches and
waits for each, the recommended arm copies batches that a loader's thread would have pinned (here: at set-up) without
waiting. Variants: pinned but waiting, as the field guide's own loop does, and pinning each batch in the loop.

Theory: copy and products are queued in one stream, so the GPU still does them one after the other; what is saved is the
staging of pageable memory and the host's waiting. Both vanish beside enough compute, and pinning itself costs a copy.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from bench import Axis, Needs, Pair, Setup, Step, time, utilisation, within
from suites.workloads.layers import normal

BATCHES = 8


@dataclass(frozen=True)
class Feed:
    """Batches in the host's memory, a weight on the device, and how many products each batch goes through."""

    batches: list[Tensor]
    weight: Tensor
    products: int


def feed(setup: Setup) -> Feed:
    torch.manual_seed(setup.seed)
    rows, width = setup.pick(full=64, smoke=4, cuda=8192), setup.pick(full=64, smoke=8, cuda=1024)
    batches = [normal(rows, width, device=torch.device("cpu")) for _ in range(BATCHES)]
    return Feed(batches, normal(width, width, device=setup.device) / width**0.5, setup.point(int))


def compute(f: Feed, x: Tensor) -> Tensor:
    for _ in range(f.products):
        x = x @ f.weight
    return x.mean()


def pinned(batch: Tensor) -> Tensor:
    return batch.pin_memory() if torch.cuda.is_available() else batch


def pageable_and_blocking(f: Feed) -> Step:
    return lambda: [compute(f, x.to(f.weight.device)) for x in f.batches]


def pinned_and_non_blocking(f: Feed) -> Step:
    ready = [pinned(x) for x in f.batches]
    return lambda: [compute(f, x.to(f.weight.device, non_blocking=True)) for x in ready]


def pinned_and_blocking(f: Feed) -> Step:
    ready = [pinned(x) for x in f.batches]
    return lambda: [compute(f, x.to(f.weight.device)) for x in ready]


def pin_each_batch(f: Feed) -> Step:
    return lambda: [compute(f, pinned(x).to(f.weight.device, non_blocking=True)) for x in f.batches]


PAIR = Pair(
    claims=("pinned-non-blocking",),
    inputs=feed,
    anti_pattern=pageable_and_blocking,
    recommended=pinned_and_non_blocking,
    variants={"pinned_and_blocking": pinned_and_blocking, "pin_each_batch": pin_each_batch},
    same=within(rtol=1e-4, atol=1e-6),
    metrics=(time, utilisation),
    axis=Axis("products", full=(1, 16, 64, 256), quick=(1, 64), smoke=(2,)),
    needs=Needs(cuda=True),
    inputs_read="at set-up",
)
