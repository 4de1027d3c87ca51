"""The fused update in the training of a whole network: AdamW on a transformer encoder that learns lines of text.

The anti-pattern uses the optimizer as it comes: one operation over all weights after the other on a GPU (foreach), and
one weight tensor after the other on a CPU.

Theory: AdamW does a dozen small operations per weight, which unfused go through memory again and again; fused it reads
and writes each number once. How much of a step that is depends on the weights against the batch: the words' vectors
are most of the weights here and little of the work.
"""

from bench import Needs, Pair, Step, peak_memory, time, within
from suites.workloads.practices import Options, Workload, training
from suites.workloads.text import lines
from suites.workloads.texts import PACKAGES


def as_it_comes(w: Workload) -> Step:
    return training(w, Options(padded_to_batch=True))


def fused(w: Workload) -> Step:
    return training(w, Options(padded_to_batch=True, fused=True))


PAIR = Pair(
    claims=("fused-optimizer",),
    inputs=lines,
    anti_pattern=as_it_comes,
    recommended=fused,
    same=within(rtol=1e-3, atol=1e-4),
    metrics=(time, peak_memory),
    needs=Needs(packages=PACKAGES),
)
