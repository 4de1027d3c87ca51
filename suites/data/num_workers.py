"""Loading in the training process is said to block it; a few worker processes are to be tried, from four upwards.

A step is a whole epoch that does little but load, so that workers gain as much as they ever can. The anti-pattern
decodes JPEG files and transforms them as the field guide does in the main process, the recommended arm in the axis's
number of workers, kept between epochs (persistent_workers), so that starting them is in the first step alone. The
second pair loads samples that are in memory already.

Theory: a worker must hand each batch over to another process. Decoding and transforming a photograph costs more than
that, taking a row out of a tensor far less, so there workers only slow things down; more workers than cores share them.
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from bench import Axis, Needs, Pair, Setup, Step, exactly, first_step, time, tree_memory
from suites.workloads.photographs import InMemory, JpegFiles, photographs

BATCH = 8


@dataclass(frozen=True)
class Epoch:
    """What is loaded, where to, and by how many workers in the recommended arm."""

    samples: Dataset[Tensor]
    device: torch.device
    workers: int


def jpeg_files(setup: Setup) -> Epoch:
    files = photographs(setup.pick(full=64, smoke=4, cuda=512))
    return Epoch(JpegFiles(files), setup.device, setup.point(int))


def in_memory(setup: Setup) -> Epoch:
    torch.manual_seed(setup.seed)
    samples = torch.randint(256, (setup.pick(full=2048, smoke=8, cuda=8192), 64), dtype=torch.uint8)
    return Epoch(InMemory(samples), setup.device, setup.point(int))


def epoch(e: Epoch, workers: int) -> Step:
    loader = DataLoader(e.samples, batch_size=BATCH, num_workers=workers, persistent_workers=workers > 0)
    return lambda: [batch.to(e.device)[..., ::8].sum() for batch in loader]


def in_the_main_process(e: Epoch) -> Step:
    return epoch(e, workers=0)


def in_workers(e: Epoch) -> Step:
    return epoch(e, e.workers)


PAIR = Pair(
    claims=("num-workers",),
    inputs=jpeg_files,
    anti_pattern=in_the_main_process,
    recommended=in_workers,
    same=exactly,
    metrics=(time, first_step, tree_memory),
    axis=Axis("workers", full=(1, 2, 4, 8), quick=(2, 4), smoke=(1,)),
    needs=Needs(packages=("sklearn",)),
    cores="all",
)
IN_MEMORY = Pair(
    claims=("num-workers",),
    inputs=in_memory,
    anti_pattern=in_the_main_process,
    recommended=in_workers,
    same=exactly,
    metrics=(time, first_step, tree_memory),
    axis=Axis("workers", outside=(2, 4)),
    name="num-workers-in-memory",
    cores="all",
)
