"""A process from which every GPU is hidden, and a job that may run there all the same."""

from __future__ import annotations

import time as clock
from dataclasses import dataclass

import torch
from torch import Tensor

from bench import Setup
from suites.workloads.layers import normal

NO_GPU = {"CUDA_VISIBLE_DEVICES": ""}


@dataclass(frozen=True)
class Job:
    """What is multiplied by what, how often, and within which time."""

    x: Tensor
    weight: Tensor
    products: int
    limit_s: float


def job(setup: Setup, side: int, products: int, limit_s: float = float("inf")) -> Job:
    """Square matrices of ``side`` in the host's memory, of a length that products keep."""
    torch.manual_seed(setup.seed)
    x, weight = (normal(side, side, device=torch.device("cpu")) for _ in range(2))
    return Job(x, weight / side**0.5, products, limit_s)


def finished(job: Job, device: torch.device) -> str:
    """Where it ran. Raises TimeoutError when its limit ends it."""
    end = clock.monotonic() + job.limit_s
    x, weight = job.x.to(device), job.weight.to(device)
    for _ in range(job.products):
        x = torch.tanh(x @ weight)
        if clock.monotonic() > end:
            raise TimeoutError(f"the limit of {job.limit_s:g} s ended the job, which ran on the {device.type}")
    return f"finished on the {device.type}"
