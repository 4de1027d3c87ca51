"""Fixed shapes are said to mend running out of memory with memory free: what is the largest batch that gets through?

A model trains on batches of varying length under a limit, with ever more rows until it runs out of memory. The
anti-pattern takes the lengths as they come, the recommended arm pads each batch to the longest. The variants leave the
lengths as they are: one lets segments grow (expandable_segments), one runs the longest length forward and backward
before it trains.

Theory: the free part of a block in use cannot be given back and is lost to a larger request. Fixed shapes fit the
blocks of the step before, and cost the padding's tokens. The CPU has another allocator, so this is measured on a GPU
alone.
"""

from bench import Axis, Needs, Pair, Step, count, may_differ, outcome
from suites.workloads.limited_training import GROW, Training, largest_within_the_limit, run, training


def as_they_come(t: Training) -> Step:
    return largest_within_the_limit(t, run)


def fixed_shapes(t: Training) -> Step:
    return largest_within_the_limit(t, lambda texts: run(texts, padded=True))


def longest_length_first(t: Training) -> Step:
    return largest_within_the_limit(t, lambda texts: run(texts, longest_first=True))


PAIR = Pair(
    claims=("fragmentation",),
    inputs=training,
    anti_pattern=as_they_come,
    recommended=fixed_shapes,
    variants={"expandable_segments": as_they_come, "longest_length_first": longest_length_first},
    environment={"expandable_segments": GROW},
    same=may_differ("the batch that fits", because="it is what is measured"),
    metrics=(outcome, count(lambda rows: rows, "largest batch", better="higher")),
    axis=Axis("limit", outside=("spare-10",)),
    needs=Needs(cuda=True),
    seeds=3,
)
