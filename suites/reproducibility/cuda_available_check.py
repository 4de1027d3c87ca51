"""Asking is_available() before a long job is said to keep it from running on the CPU by accident.

The job is some thousand matrix products under a time limit, as a cluster sets one, that a GPU keeps and one CPU core
cannot; no GPU is visible. The anti-pattern takes what device there is and is ended by its limit, the recommended arm
asks first and does not begin. The second pair has no limit: its time is what the accident costs, here of a short job.

Theory: the question is a call of microseconds; what it saves is the whole job, or all of its limit, so the longer the
job the more. It only asks for a GPU: a model that was never moved there stays on the CPU all the same.
"""

import time as clock
from dataclasses import dataclass

import torch
from torch import Tensor

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, may_differ, outcome, time
from suites.workloads.layers import normal

STEPS = 5000
LIMIT_S = 0.05
NO_GPU = {"CUDA_VISIBLE_DEVICES": ""}
NOT_BEGUN = "no GPU: not begun"


@dataclass(frozen=True)
class Job:
    """What is multiplied by what, how often, and within which time."""

    x: Tensor
    weight: Tensor
    steps: int
    limit_s: float


def long_job(setup: Setup) -> Job:
    torch.manual_seed(setup.seed)
    x, weight = (normal(512, 512, device=torch.device("cpu")) for _ in range(2))
    return Job(x, weight / 512**0.5, STEPS, LIMIT_S)


def short_job(setup: Setup) -> Job:
    torch.manual_seed(setup.seed)
    side = setup.pick(full=512, smoke=16)
    x, weight = (normal(side, side, device=torch.device("cpu")) for _ in range(2))
    return Job(x, weight / side**0.5, setup.point(int), limit_s=float("inf"))


def run(job: Job, device: torch.device) -> str:
    end = clock.monotonic() + job.limit_s
    x, weight = job.x.to(device), job.weight.to(device)
    for _ in range(job.steps):
        x = torch.tanh(x @ weight)
        if clock.monotonic() > end:
            raise TimeoutError(f"the limit of {job.limit_s:g} s ended the job, which ran on the {device.type}")
    return f"finished on the {device.type}"


def take_what_there_is(job: Job) -> Step:
    return lambda: run(job, torch.device("cuda" if torch.cuda.is_available() else "cpu"))


def ask_before_it_begins(job: Job) -> Step:
    return lambda: run(job, torch.device("cuda")) if torch.cuda.is_available() else NOT_BEGUN


PAIR = Pair(
    claims=("cuda-available-check",),
    inputs=long_job,
    anti_pattern=take_what_there_is,
    recommended=ask_before_it_begins,
    same=may_differ("what comes of the job", because="not beginning it on the wrong device is the advice"),
    metrics=(outcome,),
    needs=Needs(cpu=True),
    environment={"anti_pattern": NO_GPU, "recommended": NO_GPU},
    seeds=2,
)
TIME_LOST = Pair(
    claims=("cuda-available-check",),
    inputs=short_job,
    anti_pattern=take_what_there_is,
    recommended=ask_before_it_begins,
    same=may_differ("what comes of the job", because="not beginning it on the wrong device is the advice"),
    metrics=(time, outcome),
    axis=Axis("products", outside=(20,)),
    needs=Needs(cpu=True),
    environment={"anti_pattern": NO_GPU, "recommended": NO_GPU},
    name="cuda-available-check-time-lost",
    seeds=2,
)
AS_WRITTEN = AsWritten(
    claim="cuda-available-check",
    where="F 1",
    usage=lambda setup: torch.cuda.is_available(),
    modern="torch.accelerator.is_available(), which knows more than CUDA",
)
