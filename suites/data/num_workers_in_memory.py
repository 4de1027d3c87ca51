"""Loading in the training process is said to block it; where samples are in memory, there is next to nothing to load.

A step is an epoch: every sample, a row of a tensor, is loaded and trained on, by a small model. The anti-pattern loads
in the main process, the recommended arm in the axis's number of workers, kept between epochs (persistent_workers). In
both arms threads wait without spinning (OMP_WAIT_POLICY=PASSIVE), as num_workers.py says.

Theory: a worker must hand each batch over to another process. Taking a row out of a tensor costs far less than that, so
here workers only slow things down.
"""

import torch

from bench import Axis, Pair, Setup, Step, exactly, first_step, time, tree_memory
from suites.workloads.compare import in_part
from suites.workloads.photographs import InMemory
from suites.workloads.practices import SLEEPING_THREADS
from suites.workloads.worker_epochs import CPU_TIME, WAIT_SHARE, Epoch, classifier, epoch, workers_at


def in_memory(setup: Setup) -> Epoch:
    torch.manual_seed(setup.seed)
    samples = torch.randint(256, (setup.pick(full=1024, smoke=8, cuda=8192), 64), dtype=torch.uint8)
    return Epoch(InMemory(samples), classifier(64, setup.device), workers_at(setup))


def in_the_main_process(e: Epoch) -> Step:
    return epoch(e, workers=0)


def in_workers(e: Epoch) -> Step:
    return epoch(e, e.workers)


PAIR = Pair(
    claims=("num-workers",),
    inputs=in_memory,
    anti_pattern=in_the_main_process,
    recommended=in_workers,
    same=in_part("sums", exactly),
    metrics=(time, first_step, tree_memory, WAIT_SHARE, CPU_TIME),
    axis=Axis("workers", outside=(4,)),
    cores="all",
    environment={"anti_pattern": SLEEPING_THREADS, "recommended": SLEEPING_THREADS},
    seeds=3,
)
