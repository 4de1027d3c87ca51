"""Worker processes in the training of a whole network: a ResNet learns photographs that are decoded in each pass.

The anti-pattern loads in the training process, the recommended arm in four workers (eight on a GPU, the most that the
field guide names), which live on between the passes.

Theory: workers can hide no more than the loading's share of the time. A GPU computes faster than one core decodes, so
there it is most of it. On a CPU it is some percent, and workers take their time from the cores that compute.
"""

from bench import Needs, Pair, Step, first_step, time, tree_memory, within
from suites.workloads.practices import SLEEPING_THREADS, Options, Workload, training
from suites.workloads.vision import from_files


def in_the_training_process(w: Workload) -> Step:
    return training(w, Options())


def in_workers(w: Workload) -> Step:
    return training(w, Options(workers=True))


PAIR = Pair(
    claims=("num-workers",),
    inputs=from_files,
    anti_pattern=in_the_training_process,
    recommended=in_workers,
    same=within(rtol=3e-2, atol=1e-2),
    metrics=(time, first_step, tree_memory),
    needs=Needs(packages=("sklearn",)),
    cores="all",
    inputs_read="at set-up",
    environment={"anti_pattern": SLEEPING_THREADS, "recommended": SLEEPING_THREADS},
)
