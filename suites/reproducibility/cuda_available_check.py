"""Asking is_available() before a long job is said to keep it from running on the CPU by accident.

The job is some thousand matrix products under a time limit, as a cluster sets one, that a GPU keeps and one CPU core
cannot; no GPU is visible. The anti-pattern takes what device there is and is ended by its limit, the recommended arm
asks first and does not begin.

Theory: the question is a call of microseconds; what it saves is the whole job, or all of its limit. It only asks for a
GPU: a model that was never moved there stays on the CPU all the same.
"""

import torch

from bench import AsWritten, Needs, Pair, Setup, Step, may_differ, outcome
from suites.workloads.hidden_gpu import NO_GPU, Job, finished, job


def long_job(setup: Setup) -> Job:
    return job(setup, side=512, products=5000, limit_s=0.05)


def take_what_there_is(job: Job) -> Step:
    return lambda: finished(job, torch.device("cuda" if torch.cuda.is_available() else "cpu"))


def ask_before_it_begins(job: Job) -> Step:
    return lambda: finished(job, torch.device("cuda")) if torch.cuda.is_available() else "no GPU: not begun"


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
AS_WRITTEN = AsWritten(
    claim="cuda-available-check",
    where="F 1",
    usage=lambda setup: torch.cuda.is_available(),
    modern="torch.accelerator.is_available(), which knows more than CUDA",
)
