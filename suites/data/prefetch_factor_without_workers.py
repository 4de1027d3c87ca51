"""prefetch_factor 2 or 3 is said to have batches wait for the training; without workers the loader refuses the setting.

A step is an epoch through a loader that has no workers. The anti-pattern leaves prefetch_factor out, the recommended
arm sets it to 2. What counts is whether the epoch comes about.

Theory: without workers there is nobody to load ahead.
"""

from bench import Axis, Needs, Pair, Step, exactly, outcome, time
from suites.workloads.compare import in_part
from suites.workloads.slow_loading import Feed, feed, training


def left_out(f: Feed) -> Step:
    return training(f, prefetch_factor=None)


def set_to_two(f: Feed) -> Step:
    return lambda: training(f, prefetch_factor=2)()


PAIR = Pair(
    claims=("prefetch-factor",),
    inputs=feed,
    anti_pattern=left_out,
    recommended=set_to_two,
    same=in_part("sums", exactly),
    metrics=(outcome, time),
    axis=Axis("workers", outside=(0,)),
    needs=Needs(cpu=True),
)
