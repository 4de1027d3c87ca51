"""DataParallel is said to be simple, slow and heavy on the first card; DistributedDataParallel is for real training.

The recommended arm trains under torchrun with a process per card, the anti-pattern in one process that splits every
batch over the cards and gathers the outputs on the first one. Samples per second decide; the imbalance is how much less
the emptiest card holds than the fullest.

Theory: DataParallel copies the model to every card at each step and runs their Python under one interpreter lock, a
cost that grows with the number of layers and not with the batch, so wide layers and large batches hide it.
"""

import torch
from torch.nn.parallel import DataParallel

from bench import AsWritten, Axis, Metric, Needs, Pair, Setup, Step, error, may_differ, share
from suites.workloads.layers import dense
from suites.workloads.parallel import SAMPLES_PER_SECOND, beside_one_process
from suites.workloads.sharded import Job, Result


def over_cards(setup: Setup) -> Job:
    width = setup.point(int)
    return Job("single", width, 4096, "cuda", torch.cuda.device_count(), setup.seed, str(setup.folder))


def data_parallel(job: Job) -> Step:
    return beside_one_process(job, "data-parallel")


def distributed_data_parallel(job: Job) -> Step:
    return beside_one_process(job, "distributed")


def imbalance(result: Result) -> float:
    return 1 - min(result["memory"]) / max(result["memory"])


def wrap(setup: Setup) -> None:
    DataParallel(dense(8, depth=1).to(setup.device))(torch.randn(4, 8, device=setup.device))


PAIR = Pair(
    claims=("dp-or-ddp",),
    inputs=over_cards,
    anti_pattern=data_parallel,
    recommended=distributed_data_parallel,
    same=may_differ("the order in which gradients are added up", because="their error is a metric of the pair"),
    metrics=(
        SAMPLES_PER_SECOND,
        Metric("peak_memory", "memory of the fullest card", "B", read=lambda r: max(r["memory"])),
        share(imbalance, "imbalance", better="lower"),
        error(lambda r: r["gradient error"]),
    ),
    axis=Axis("width", full=(128, 1024, 4096)),
    needs=Needs(cuda=True, gpus=2),
    timeout=300.0,
)
AS_WRITTEN = AsWritten(claim="dp-or-ddp", where="G 7.3", usage=wrap)
