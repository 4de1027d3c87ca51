"""Training one model over several devices: as a program that torchrun starts, or in forked processes on a CPU.

One process per device for DistributedDataParallel, one process for all of them otherwise.
"""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import torch
from torch import distributed

from bench import Metric, Step
from suites.workloads.compare import relative_error
from suites.workloads.sharded import Job, Result, Way, train

# Each way times itself: a step is also the start of its processes.
SAMPLES_PER_SECOND = Metric(
    "throughput", "samples per second", "1/s", better="higher", read=lambda r: r["per_second"], exact=False
)


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


def beside_one_process(job: Job, way: Way, no_sync: bool = False) -> Step:
    """A step trains in this way, and adds how far its gradient is from that of the whole batch in one process."""
    chosen = replace(job, way=way, no_sync=no_sync)

    def step() -> Result:
        whole = carry_out(replace(job, way="single", parts=1))["gradient"]
        found = carry_out(chosen)
        return {**found, "gradient error": relative_error(found["gradient"], whole)}

    return step


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
    found = train(job, rank)
    if rank == 0:
        job.answer.write_text(json.dumps(found))
    if job.way == "distributed":
        distributed.destroy_process_group()


def main() -> None:
    """``python -m suites.workloads.parallel JOB``, alone or under torchrun."""
    job = Job(**json.loads(sys.argv[1]))
    _take_part(job, rank=0)


if __name__ == "__main__":
    main()
