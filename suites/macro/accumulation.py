"""Accumulating over four micro-batches in the training of a whole network: a transformer encoder on lines of text.

It normalises each line by itself, so that both arms make the same update; a ResNet's BatchNorm would not.

Theory: a quarter of the activations is alive at a time, while weights, gradients and Adam's state, a large part of them
for the words' vectors, stay as they are. The work is the same, in pieces that use the machine no better.
"""

from bench import Needs, Pair, Step, peak_memory, time, within
from suites.workloads.practices import Options, Workload, training
from suites.workloads.text import lines
from suites.workloads.texts import PACKAGES


def whole_batch(w: Workload) -> Step:
    return training(w, Options())


def four_micro_batches(w: Workload) -> Step:
    return training(w, Options(micro_batches=4))


PAIR = Pair(
    claims=("accumulate-for-memory",),
    inputs=lines,
    anti_pattern=whole_batch,
    recommended=four_micro_batches,
    same=within(rtol=1e-3, atol=1e-4),
    metrics=(peak_memory, time),
    needs=Needs(packages=PACKAGES),
)
