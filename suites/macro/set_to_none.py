"""Gradients set to None instead of 0 in the training of a whole network: a ResNet on photographs.

Theory: zeros are written and later read once per weight, which forward, backward and update together read and write
about ten times, beside the arithmetic; so a few percent where the batch is small, as here, and less where it is large.
At the peak, in the backward, the gradients are there in both arms but for those of the layers still to come.
"""

from bench import Needs, Pair, Step, peak_memory, time, within
from suites.workloads.practices import Options, Workload, training
from suites.workloads.vision import in_memory


def zeros(w: Workload) -> Step:
    return training(w, Options())


def none(w: Workload) -> Step:
    return training(w, Options(none_gradients=True))


PAIR = Pair(
    claims=("zero-grad-set-to-none",),
    inputs=in_memory,
    anti_pattern=zeros,
    recommended=none,
    same=within(rtol=3e-2, atol=1e-2),
    metrics=(time, peak_memory),
    needs=Needs(packages=("sklearn",)),
)
