"""A line in the log for every hundredth batch instead of each, in two trainings: of digits, and of photographs.

A line holds the batch's number and its loss, for which the host waits. The history keeps no graphs and no numbers.

Theory: a line costs microseconds, and on a GPU the queue that runs dry. That can only be seen beside short updates: the
digits' network is as small as real ones get, and beside a ResNet's update it should vanish.
"""

from bench import Axis, Needs, Pair, Setup, Step, time, within
from suites.workloads import digits_training, vision
from suites.workloads.practices import Options, Workload, training

NETWORKS = {"digits": digits_training.digits, "vision": vision.in_memory}


def network(setup: Setup) -> Workload:
    return NETWORKS[setup.point(str)](setup)


def every_batch(w: Workload) -> Step:
    return training(w, Options(history="detached"))


def every_hundredth_batch(w: Workload) -> Step:
    return training(w, Options(history="detached", log_every=100))


PAIR = Pair(
    claims=("log-every-n",),
    inputs=network,
    anti_pattern=every_batch,
    recommended=every_hundredth_batch,
    same=within(rtol=3e-2, atol=1e-2),
    metrics=(time,),
    axis=Axis("network", full=("digits", "vision"), quick=("digits",)),
    needs=Needs(packages=("sklearn",)),
)
