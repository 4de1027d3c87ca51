"""DistributedDataParallel is said to be for real training; a CPU has no DataParallel to stand beside it.

The recommended arm trains in two processes against one, with the same gradient, and exchanges gradients once for an
update that accumulates over parts, under no_sync(); the variant exchanges those of every part. The exchanges are
counted.

Theory: each backward exchanges its gradients unless no_sync() says otherwise, so of k parts k - 1 exchanges are spared.
"""

from bench import Axis, Needs, Pair, Setup, Step, count, error, may_differ
from suites.workloads.parallel import SAMPLES_PER_SECOND, beside_one_process
from suites.workloads.sharded import Job


def over_processes(setup: Setup) -> Job:
    rows, width = setup.pick(full=512, smoke=16), setup.pick(full=256, smoke=8)
    return Job("single", width, rows, "cpu", 2, setup.seed, str(setup.folder), parts=setup.point(int))


def one_process(job: Job) -> Step:
    return beside_one_process(job, "single")


def last_part_exchanged(job: Job) -> Step:
    return beside_one_process(job, "distributed", no_sync=True)


def every_part_exchanged(job: Job) -> Step:
    return beside_one_process(job, "distributed")


PAIR = Pair(
    claims=("dp-or-ddp",),
    inputs=over_processes,
    anti_pattern=one_process,
    recommended=last_part_exchanged,
    variants={"every_part_exchanged": every_part_exchanged},
    same=may_differ("the order in which gradients are added up", because="their error is a metric of the pair"),
    metrics=(
        SAMPLES_PER_SECOND,
        count(lambda r: r["exchanges"], "exchanges per update"),
        error(lambda r: r["gradient error"]),
    ),
    axis=Axis("parts", outside=(1, 4)),
    needs=Needs(cpu=True),
    cores="all",
    seeds=3,
)
