"""Accumulating over micro-batches is said to give the gradient of a large batch in a small batch's memory.

The anti-pattern runs the whole batch through forward and backward, the recommended arm does so for k parts of it, one
after the other, and divides each loss by k. Both come to the same gradient.

Theory: what shrinks is what each layer keeps for its backward, not the weights and gradients, so the gain levels off as
k grows. Time has nothing to gain: the work is the same, in smaller pieces.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import Axis, Pair, Setup, Step, error, peak_memory, time, within
from suites.workloads.compare import error_of, in_part
from suites.workloads.layers import CLASSES, dense, first_bias_gradient, normal, true_first_bias_gradient


@dataclass(frozen=True)
class Batch:
    """A model, a batch to be split into ``parts``, and part of its gradient in float64."""

    model: nn.Sequential
    x: Tensor
    labels: Tensor
    true_gradient: Tensor
    parts: int


def batch(setup: Setup) -> Batch:
    torch.manual_seed(setup.seed)
    rows, width = setup.pick(full=2048, smoke=16, cuda=65536), setup.pick(full=128, smoke=8, cuda=512)
    model = dense(width, depth=6).to(setup.device)
    x, labels = normal(rows, width, device=setup.device), torch.randint(CLASSES, (rows,)).to(setup.device)
    return Batch(model, x, labels, true_first_bias_gradient(model, x, labels), setup.point(int))


def gradient(b: Batch, parts: int) -> dict[str, Tensor]:
    b.model.zero_grad()
    for x, labels in zip(b.x.chunk(parts), b.labels.chunk(parts), strict=True):
        (F.cross_entropy(b.model(x), labels) / parts).backward()
    return {"gradient": first_bias_gradient(b.model), "true gradient": b.true_gradient}


def one_big_batch(b: Batch) -> Step:
    return lambda: gradient(b, parts=1)


def micro_batches(b: Batch) -> Step:
    return lambda: gradient(b, parts=b.parts)


PAIR = Pair(
    claims=("accumulate-for-memory",),
    inputs=batch,
    anti_pattern=one_big_batch,
    recommended=micro_batches,
    same=in_part("gradient", within(rtol=1e-3, atol=1e-6)),
    metrics=(peak_memory, time, error(error_of("gradient"), "gradient error")),
    axis=Axis("parts", full=(2, 4, 16), quick=(4, 16), smoke=(4,)),
)
