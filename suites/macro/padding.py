"""Padding to the batch's longest line in the training of a whole network: a transformer encoder on lines of text.

The anti-pattern pads to the longest line of all texts. The model masks what is padding, so the losses are the same.

Theory: activations and most of the work grow with the padded length, the update of the weights does not. The lines are
drawn at random, so how long the longest of a batch is depends on the batch's size.
"""

from bench import Needs, Pair, Step, peak_memory, time, within
from suites.workloads.practices import Options, Workload, training
from suites.workloads.text import lines
from suites.workloads.texts import PACKAGES


def longest_of_all(w: Workload) -> Step:
    return training(w, Options())


def longest_of_the_batch(w: Workload) -> Step:
    return training(w, Options(padded_to_batch=True))


PAIR = Pair(
    claims=("pad-to-batch-max",),
    inputs=lines,
    anti_pattern=longest_of_all,
    recommended=longest_of_the_batch,
    same=within(rtol=1e-3, atol=1e-4),
    metrics=(time, peak_memory),
    needs=Needs(packages=PACKAGES),
)
