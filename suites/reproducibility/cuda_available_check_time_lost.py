"""A long job on the CPU by accident, which asking is_available() is said to prevent: the time that it costs.

A short job, of a few matrix products, stands for it; it has no limit, and no GPU is visible. The anti-pattern takes
what device there is and finishes on the CPU, the recommended arm asks first and does not begin.

Theory: the question is a call of microseconds; what it saves is the whole job, so the longer the job the more.
"""

import torch

from bench import Axis, Needs, Pair, Setup, Step, may_differ, outcome, time
from suites.workloads.hidden_gpu import NO_GPU, Job, finished, job


def short_job(setup: Setup) -> Job:
    return job(setup, side=setup.pick(full=512, smoke=16), products=setup.point(int))


def take_what_there_is(job: Job) -> Step:
    return lambda: finished(job, torch.device("cuda" if torch.cuda.is_available() else "cpu"))


def ask_before_it_begins(job: Job) -> Step:
    return lambda: finished(job, torch.device("cuda")) if torch.cuda.is_available() else "no GPU: not begun"


PAIR = Pair(
    claims=("cuda-available-check",),
    inputs=short_job,
    anti_pattern=take_what_there_is,
    recommended=ask_before_it_begins,
    same=may_differ("what comes of the job", because="not beginning it on the wrong device is the advice"),
    metrics=(time, outcome),
    axis=Axis("products", outside=(20,)),
    needs=Needs(cpu=True),
    environment={"anti_pattern": NO_GPU, "recommended": NO_GPU},
    seeds=2,
)
