"""Accumulating over micro-batches is said to give the gradient of a large batch in a small batch's memory.

The anti-pattern runs the whole batch through forward and backward, the recommended arm does so for k parts of it, one
after the other, and divides each loss by k. Both come to the same gradient. In the second pair a wide network trained
with Adam has a small batch, so that activations are the least of what is in memory.

Theory: what shrinks is what each layer keeps for its backward, not the weights and gradients, so the gain levels off
as k grows. With weights, gradients and Adam's two averages to hold, memory is at its highest in the update, when all
activations are gone: nothing is saved. Time has nothing to gain either: the work is the same, in smaller pieces.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import AsWritten, Axis, Pair, Setup, Step, error, peak_memory, throughput, time, within
from suites.workloads.compare import error_of, in_part
from suites.workloads.layers import CLASSES, dense, first_bias_gradient, normal, true_first_bias_gradient
from suites.workloads.loops import guide_accumulation


@dataclass(frozen=True)
class Batch:
    """A model, a batch to be split into ``parts``, part of its gradient in float64, and whether Adam updates."""

    model: nn.Sequential
    x: Tensor
    labels: Tensor
    true_gradient: Tensor
    parts: int
    adam: bool = False


def batch(setup: Setup) -> Batch:
    rows, width = setup.pick(full=2048, smoke=16, cuda=65536), setup.pick(full=128, smoke=8, cuda=512)
    return random_batch(setup, rows, width)


def small_batch(setup: Setup) -> Batch:
    rows, width = setup.pick(full=64, smoke=16, cuda=256), setup.pick(full=512, smoke=64, cuda=8192)
    return random_batch(setup, rows, width, adam=True)


def random_batch(setup: Setup, rows: int, width: int, adam: bool = False) -> Batch:
    torch.manual_seed(setup.seed)
    model = dense(width, depth=6).to(setup.device)
    x, labels = normal(rows, width, device=setup.device), torch.randint(CLASSES, (rows,)).to(setup.device)
    return Batch(model, x, labels, true_first_bias_gradient(model, x, labels), setup.point(int), adam)


def gradient(b: Batch, parts: int) -> Step:
    update = adams_update(b.model) if b.adam else None

    def step() -> dict[str, object]:
        b.model.zero_grad()
        for x, labels in zip(b.x.chunk(parts), b.labels.chunk(parts), strict=True):
            (F.cross_entropy(b.model(x), labels) / parts).backward()
        if update:
            update()
        return {"gradient": first_bias_gradient(b.model), "true gradient": b.true_gradient, "samples": len(b.x)}

    return step


def adams_update(model: nn.Module) -> Callable[[], object]:
    # At a rate of 0 it costs what it always does, and every step starts from the same weights.
    return torch.optim.Adam(model.parameters(), lr=0.0).step


def one_big_batch(b: Batch) -> Step:
    return gradient(b, parts=1)


def micro_batches(b: Batch) -> Step:
    return gradient(b, parts=b.parts)


METRICS = (
    peak_memory,
    time,
    throughput(lambda r: r["samples"], "samples per second"),
    error(error_of("gradient"), "gradient error"),
)
PAIR = Pair(
    claims=("accumulate-for-memory",),
    inputs=batch,
    anti_pattern=one_big_batch,
    recommended=micro_batches,
    same=in_part("gradient", within(rtol=1e-3, atol=1e-6)),
    metrics=METRICS,
    axis=Axis("parts", full=(2, 4, 16), quick=(4, 16), smoke=(4,)),
)
HEAVY_WEIGHTS = Pair(
    claims=("accumulate-for-memory",),
    inputs=small_batch,
    anti_pattern=one_big_batch,
    recommended=micro_batches,
    same=in_part("gradient", within(rtol=1e-3, atol=1e-6)),
    metrics=METRICS,
    axis=Axis("parts", outside=(4,)),
    name="accumulate-for-memory-heavy-weights",
)
AS_WRITTEN = AsWritten(claim="accumulate-for-memory", where="G 3.3", usage=guide_accumulation)
