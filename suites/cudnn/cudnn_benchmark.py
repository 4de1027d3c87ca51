"""Training is said to be slow for want of cudnn.benchmark, with which cuDNN tries its algorithms and keeps the best.

A small convolutional network trains on one batch per step; the arms differ in torch.backends.cudnn.benchmark, which
each sets before its first step. The search is in the first step, and its workspace may stay in memory.

Theory: the search is made once for each shape of input. Where shapes vary it is made again and again: at the point
``varying`` every step crops its images to a shape that was not seen before.
"""

import copy
from itertools import count

import torch
from torch import Tensor
from torch.nn import functional as F

from bench import Axis, Needs, Pair, Step, first_step, peak_memory, time, within
from suites.workloads.convolving import Training, training


def train(t: Training, benchmark: bool) -> Step:
    torch.backends.cudnn.benchmark = benchmark
    model, steps = copy.deepcopy(t.model), count()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def step() -> Tensor:
        rows_off, columns_off = divmod(7 * next(steps) % t.crops**2, t.crops)
        images = t.images[:, :, rows_off:, columns_off:].contiguous()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images), t.labels)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def benchmark_off(t: Training) -> Step:
    return train(t, benchmark=False)


def benchmark_on(t: Training) -> Step:
    return train(t, benchmark=True)


PAIR = Pair(
    claims=("cudnn-benchmark",),
    inputs=training,
    anti_pattern=benchmark_off,
    recommended=benchmark_on,
    same=within(rtol=1e-2, atol=1e-3),
    metrics=(time, first_step, peak_memory),
    axis=Axis("shapes", full=("fixed",), outside=("varying",), smoke=("fixed", "varying")),
    needs=Needs(cuda=True),
)
