"""A small convolutional network that learns handwritten digits: updates so short that what is around them counts."""

from __future__ import annotations

from functools import partial

import torch

from bench import Setup
from suites.workloads.digits import convolutions, load_digits
from suites.workloads.practices import Workload


def digits(setup: Setup) -> Workload:
    """Sixteen batches of 32 digits in memory, or of 512 on a GPU."""
    known, batch = load_digits(setup.seed), setup.pick(full=32, smoke=8, cuda=512)
    rows = torch.arange(setup.pick(full=16, smoke=2) * batch) % len(known.train_x)
    batches = [(known.train_x[i].to(setup.device), known.train_y[i].to(setup.device)) for i in rows.split(batch)]
    model = partial(convolutions, setup.pick(full=16, smoke=8, cuda=64))
    optimizer = partial(torch.optim.SGD, lr=0.05, momentum=0.9)
    return Workload(setup.device, setup.seed, model, batches, lambda samples, options: samples, optimizer)
