"""Loading in the training process is said to block it; a few worker processes are to be tried, from four upwards.

A step is an epoch: every sample is loaded and trained on, by so small a model that workers gain as much as they ever
can. The anti-pattern decodes JPEG files and transforms them as the field guide does in the main process, the
recommended arm in the axis's number of workers, kept between epochs (persistent_workers), so that starting them is in
the first step alone. At ``short-epochs`` four workers are started anew for every epoch of 16 files, as a loader does
unasked. In both arms threads wait without spinning (OMP_WAIT_POLICY=PASSIVE): otherwise those of the main process,
which computes on all cores, wait in busy loops, and on a machine with other work that alone makes it several times
slower than workers, which have one thread each.

Theory: a worker must hand each batch over to another process. Decoding and transforming a photograph costs more than
that; more workers than cores share them. Starting a worker costs tens of milliseconds, which a short epoch does not win
back.
"""

import torch
from torch.utils.data import DataLoader, TensorDataset

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, exactly, first_step, time, tree_memory
from suites.workloads.compare import in_part
from suites.workloads.photographs import JpegFiles, photographs
from suites.workloads.practices import SLEEPING_THREADS
from suites.workloads.worker_epochs import CPU_TIME, WAIT_SHARE, Epoch, classifier, epoch, workers_at


def jpeg_files(setup: Setup) -> Epoch:
    torch.manual_seed(setup.seed)
    short = setup.value == "short-epochs"
    samples = JpegFiles(photographs(setup.pick(full=16 if short else 32, smoke=4, cuda=16 if short else 512)))
    return Epoch(samples, classifier(samples[0].numel(), setup.device), workers_at(setup), kept=not short)


def in_the_main_process(e: Epoch) -> Step:
    return epoch(e, workers=0)


def in_workers(e: Epoch) -> Step:
    return epoch(e, e.workers)


def four_workers(setup: Setup) -> None:
    list(DataLoader(TensorDataset(torch.arange(8)), num_workers=4))


def field_guide_loader(setup: Setup) -> None:
    dataset = TensorDataset(torch.arange(128))
    list(DataLoader(dataset, batch_size=64, shuffle=True, num_workers=4, pin_memory=True, prefetch_factor=2))


PAIR = Pair(
    claims=("num-workers",),
    inputs=jpeg_files,
    anti_pattern=in_the_main_process,
    recommended=in_workers,
    same=in_part("sums", exactly),
    metrics=(time, first_step, tree_memory, WAIT_SHARE, CPU_TIME),
    axis=Axis(
        "workers", full=(1, 2, 4, 8, "cores", "twice-the-cores"), quick=(2, 4), smoke=(1,), outside=("short-epochs",)
    ),
    needs=Needs(packages=("sklearn",)),
    cores="all",
    environment={"anti_pattern": SLEEPING_THREADS, "recommended": SLEEPING_THREADS},
    seeds=3,
)
AS_WRITTEN_G = AsWritten(claim="num-workers", where="G 5.2", usage=four_workers)
AS_WRITTEN_F = AsWritten(claim="num-workers", where="F 2", usage=field_guide_loader)
