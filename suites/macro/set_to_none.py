"""Gradients set to None instead of 0 in the training of a whole network: a ResNet on photographs.

Theory: zeros are written, and the backward reads them and its own and writes the sum: four passes over as many bytes as
the weights have, beside about eight of forward, backward and update. That is much where a batch is so small that the
weights outweigh the activations, as the four photographs on a CPU, and little at the 256 on a GPU. At the peak, in the
backward, zeros are there for the layers still to come, and None is not.
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
