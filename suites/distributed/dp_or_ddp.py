"""DataParallel is said to be simple, slow and heavy on the first card; DistributedDataParallel is for real training.

The recommended arm trains under torchrun with a process per card, the anti-pattern in one process that splits every
batch over the cards and gathers the outputs on the first one. Samples per second decide; the imbalance is how much less
the emptiest card holds than the fullest. A CPU has no DataParallel: the second pair trains in two processes against
one, with the same gradient, and counts the exchanges of gradients that accumulation needs with and without no_sync().

Theory: DataParallel copies the model to every card at each step and runs their Python under one interpreter lock, a
cost that grows with the number of layers and not with the batch, so wide layers and large batches hide it.
"""

import torch
from torch.nn.parallel import DataParallel

from bench import AsWritten, Axis, Metric, Needs, Pair, Setup, Step, count, error, may_differ, share
from suites.workloads.compare import relative_error
from suites.workloads.layers import dense
from suites.workloads.parallel import carry_out
from suites.workloads.sharded import Job, Result

# Each way times itself: a step is also the start of its processes.
SPEED = Metric("throughput", "samples per second", "1/s", better="higher", read=lambda r: r["per_second"], exact=False)
MEMORY = Metric("peak_memory", "memory of the fullest card", "B", read=lambda r: max(r["memory"]))


def over_cards(setup: Setup) -> Job:
    width = setup.point(int)
    return Job("single", width, 4096, "cuda", torch.cuda.device_count(), setup.seed, str(setup.folder))


def over_processes(setup: Setup) -> Job:
    rows, width = setup.pick(full=512, smoke=16), setup.pick(full=256, smoke=8)
    return Job("single", width, rows, "cpu", 2, setup.seed, str(setup.folder), parts=setup.point(int))


def with_way(job: Job, way: str, no_sync: bool = False) -> Step:
    chosen = Job(**{**vars(job), "way": way, "no_sync": no_sync})

    def step() -> Result:
        whole = carry_out(Job(**{**vars(job), "way": "single", "parts": 1}))["gradient"]
        found = carry_out(chosen)
        return {**found, "gradient error": relative_error(found["gradient"], whole)}

    return step


def data_parallel(job: Job) -> Step:
    return with_way(job, "data-parallel")


def distributed_data_parallel(job: Job) -> Step:
    return with_way(job, "distributed")


def one_process(job: Job) -> Step:
    return with_way(job, "single")


def every_part_exchanged(job: Job) -> Step:
    return with_way(job, "distributed")


def last_part_exchanged(job: Job) -> Step:
    return with_way(job, "distributed", no_sync=True)


def imbalance(result: Result) -> float:
    return 1 - min(result["memory"]) / max(result["memory"])


def wrap(setup: Setup) -> None:
    DataParallel(dense(8, depth=1).to(setup.device))(torch.randn(4, 8, device=setup.device))


FREE = may_differ("the order in which gradients are added up", because="their error is a metric of the pair")
AS_WRITTEN = AsWritten(claim="dp-or-ddp", where="G 7.3", usage=wrap)
PAIR = Pair(
    claims=("dp-or-ddp",),
    inputs=over_cards,
    anti_pattern=data_parallel,
    recommended=distributed_data_parallel,
    same=FREE,
    metrics=(SPEED, MEMORY, share(imbalance, "imbalance", better="lower"), error(lambda r: r["gradient error"])),
    axis=Axis("width", full=(128, 1024, 4096)),
    needs=Needs(cuda=True, gpus=2),
    timeout=300.0,
)
PROCESSES = Pair(
    claims=("dp-or-ddp",),
    inputs=over_processes,
    anti_pattern=one_process,
    recommended=last_part_exchanged,
    variants={"every_part_exchanged": every_part_exchanged},
    same=FREE,
    metrics=(SPEED, count(lambda r: r["exchanges"], "exchanges per update"), error(lambda r: r["gradient error"])),
    axis=Axis("parts", outside=(1, 4)),
    needs=Needs(cpu=True),
    name="dp-or-ddp-on-processes",
    cores="all",
    seeds=3,
)
