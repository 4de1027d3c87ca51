"""Training one model over several devices: as a program that torchrun starts, or in forked processes on a CPU.

One process per device for DistributedDataParallel, one process for all of them otherwise.
"""

import json
import multiprocessing
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from torch import Tensor, distributed, nn
from torch.nn import functional as F
from torch.nn.parallel import DataParallel, DistributedDataParallel

from suites.workloads.layers import CLASSES, dense, first_bias_gradient

WARM, STEPS = 2, 8
Result = dict[str, Any]


@dataclass(frozen=True)
class Job:
    """What is trained and how: ``parts`` batches make an update; with ``no_sync`` only the last one is exchanged."""

    way: Literal["single", "data-parallel", "distributed"]
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


def carry_out(job: Job) -> Result:
    """Train once and return samples per second, the first bias's gradient, gradient exchanges, and memory by device.

    Raises RuntimeError when a process fails.
    """
    job.answer.unlink(missing_ok=True)
    if job.device == "cuda":
        launch = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={job.processes}"]
        module = ["-m", "suites.workloads.parallel", json.dumps(asdict(job))]
        command = [sys.executable, *(launch if job.way == "distributed" else []), *module]
        subprocess.run(command, check=True)
    elif job.way == "distributed":
        _fork(job)
    else:
        _take_part(job, rank=0)
    found: Result = json.loads(job.answer.read_text())
    return {**found, "gradient": torch.tensor(found["gradient"])}


def _fork(job: Job) -> None:
    store = Path(job.folder) / "store"
    store.unlink(missing_ok=True)
    context = multiprocessing.get_context("fork")
    started = [context.Process(target=_in_a_fork, args=(job, rank, store)) for rank in range(job.processes)]
    for process in started:
        process.start()
    for process in started:
        process.join()
    if any(process.exitcode for process in started):
        raise RuntimeError(f"processes ended with {[process.exitcode for process in started]}")


def _in_a_fork(job: Job, rank: int, store: Path) -> None:
    # The parent's threads are not here, and waiting for them would never end.
    torch.set_num_threads(1)
    _take_part(job, rank, store)


def _take_part(job: Job, rank: int, store: Path | None = None) -> None:
    if job.way == "distributed":
        backend = "nccl" if job.device == "cuda" else "gloo"
        at = {"init_method": f"file://{store}", "rank": rank, "world_size": job.processes} if store else {}
        distributed.init_process_group(backend, **at)
        rank = distributed.get_rank()
    found = _train(job, rank)
    if rank == 0:
        job.answer.write_text(json.dumps(found))
    if job.way == "distributed":
        distributed.destroy_process_group()


def _train(job: Job, rank: int) -> Result:
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


def main() -> None:
    """``python -m suites.workloads.parallel JOB``, alone or under torchrun."""
    job = Job(**json.loads(sys.argv[1]))
    _take_part(job, rank=0)


if __name__ == "__main__":
    main()
