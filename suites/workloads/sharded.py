"""One process's part in training a model over several devices, and how fast all of them are."""

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, distributed, nn
from torch.nn import functional as F
from torch.nn.parallel import DataParallel, DistributedDataParallel

from suites.workloads.layers import CLASSES, dense, first_bias_gradient

WARM, STEPS = 2, 8
Result = dict[str, Any]
Way = Literal["single", "data-parallel", "distributed"]


@dataclass(frozen=True)
class Job:
    """What is trained and how: ``parts`` batches make an update; with ``no_sync`` only the last one is exchanged."""

    way: Way
    width: int
    rows: int
    device: str
    processes: int
    seed: int
    folder: str
    parts: int = 1
    no_sync: bool = False

    @property
    def answer(self) -> Path:
        """Where the first process leaves the result."""
        return Path(self.folder) / f"{self.way}-{self.parts}-{self.no_sync}.json"


def train(job: Job, rank: int) -> Result:
    """Samples per second of all processes, the first bias's gradient, its exchanges per update, bytes by card."""
    device = torch.device(job.device, rank) if job.device == "cuda" else torch.device("cpu")
    torch.manual_seed(job.seed)
    model = dense(job.width, depth=4).to(device)
    x, labels = torch.randn(job.rows, job.width), torch.randint(CLASSES, (job.rows,))
    if job.way == "distributed":
        x, labels = x.chunk(job.processes)[rank], labels.chunk(job.processes)[rank]
    x, labels = x.to(device), labels.to(device)
    exchanges: list[int] = []
    net, alone = _wrapped(model, job, exchanges)
    update = _update(net, alone, x, labels, job)
    for _ in range(WARM):
        update()
    exchanges.clear()
    _wait(device)
    begin = time.perf_counter()
    for _ in range(STEPS):
        update()
    _wait(device)
    per_second = job.rows * STEPS / (time.perf_counter() - begin)
    gradient = first_bias_gradient(model).tolist()
    return {"per_second": per_second, "gradient": gradient, "exchanges": len(exchanges) / STEPS, "memory": _memory(job)}


def _wrapped(model: nn.Sequential, job: Job, exchanges: list[int]) -> tuple[nn.Module, Callable[[], Any]]:
    """The model as this way wraps it, and the context in which its gradients are not exchanged."""
    if job.way == "single":
        return model, nullcontext
    if job.way == "data-parallel":
        return DataParallel(model), nullcontext
    net = DistributedDataParallel(model)

    # DistributedDataParallel reads these annotations, which must not be strings.
    def exchange(state: object, bucket: distributed.GradBucket) -> torch.futures.Future[Tensor]:
        exchanges.append(bucket.index())
        reduced = distributed.all_reduce(bucket.buffer().div_(job.processes), async_op=True)
        return reduced.get_future().then(lambda done: done.value()[0])

    net.register_comm_hook(None, exchange)
    return net, net.no_sync


def _update(net: nn.Module, alone: Callable[[], Any], x: Tensor, labels: Tensor, job: Job) -> Callable[[], None]:
    """Gradients of all parts; weights stay as they are, so that every step's gradient is the same."""
    parts = list(zip(x.chunk(job.parts), labels.chunk(job.parts), strict=True))

    def update() -> None:
        net.zero_grad()
        for i, (rows, classes) in enumerate(parts):
            with alone() if job.no_sync and i < len(parts) - 1 else nullcontext():
                (F.cross_entropy(net(rows), classes) / job.parts).backward()

    return update


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize()


def _memory(job: Job) -> list[int]:
    """The peak bytes of tensors on every card; empty on a CPU."""
    if job.device != "cuda":
        return []
    if job.way != "distributed":
        return [torch.cuda.max_memory_allocated(i) for i in range(job.processes)]
    every: list[Any] = [None] * job.processes
    distributed.all_gather_object(every, torch.cuda.max_memory_allocated())
    return every
