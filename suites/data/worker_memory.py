"""Every worker is said to cost memory, and more of it where the samples' metadata are Python objects.

A dataset of many paths and labels is built, and one epoch of it loaded in random order by the axis's number of workers.
The anti-pattern keeps a dict per sample, the recommended arm one array of paths and one of labels. What counts is the
highest memory of the whole process tree, pages that are shared counted once.

Theory: a forked worker shares the parent's pages until either writes to one, and merely reading a Python object writes
its reference count. Of the some 300 B per sample here, every worker comes to copy the 190 B that carry such counts
(the dict's head, the string and the number; not the dict's table), where arrays (36 B per sample) are read without a
write and stay shared. A thousand samples are too few to be seen beside what each worker takes anyway, and without
workers there is one copy, though still of larger objects.
"""

from dataclasses import dataclass

from bench import Axis, Needs, Pair, Setup, Step, exactly, tree_memory
from suites.workloads.metadata import AsArrays, AsObjects, epoch

WORKERS = {"2-workers": 2, "4-workers": 4, "no-workers": 0, "1000-samples": 2}


@dataclass(frozen=True)
class Plan:
    """How many samples the dataset has, who loads them, and in which order."""

    size: int
    workers: int
    seed: int


def plan(setup: Setup) -> Plan:
    case = setup.point(str)
    size = setup.pick(full=1000 if case == "1000-samples" else 100_000, smoke=100)
    return Plan(size, WORKERS[case], setup.seed)


def python_objects(p: Plan) -> Step:
    dataset = AsObjects(p.size)
    return lambda: epoch(dataset, p.workers, p.seed)


def arrays(p: Plan) -> Step:
    dataset = AsArrays(p.size)
    return lambda: epoch(dataset, p.workers, p.seed)


PAIR = Pair(
    claims=("worker-memory",),
    inputs=plan,
    anti_pattern=python_objects,
    recommended=arrays,
    same=exactly,
    metrics=(tree_memory,),
    axis=Axis("case", full=("2-workers", "4-workers"), quick=("2-workers",), outside=("no-workers", "1000-samples")),
    needs=Needs(cpu=True),
    inputs_read="at set-up",
)
