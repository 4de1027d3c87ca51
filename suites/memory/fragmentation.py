"""Running out of memory with memory free is put down to fragmentation: keep shapes fixed, or tune the allocator.

A model trains on twelve batches of varying length, under a limit a little above what the longest of them needs. The
anti-pattern takes them as they come, the recommended arm pads each to the longest. The variants leave the lengths as
they are: one lets segments grow (expandable_segments), one runs the longest length forward and backward before it
trains.

Theory: the allocator keeps freed blocks and splits them for smaller requests; the free part of a block in use cannot be
given back and is lost to a larger request. A segment that is free as a whole is given back before the allocator gives
up (a retry, which waits for the GPU), so varying lengths alone need not end in an error. Fixed shapes fit the blocks of
the step before, and cost the padding's tokens. The CPU has another allocator, so this is measured on a GPU alone.
"""

import os

import torch

from bench import AsWritten, Axis, Metric, Needs, Pair, Setup, Step, count, outcome, within
from suites.workloads.compare import in_part
from suites.workloads.limited_training import GROW, Training, run, training, within_the_limit


def as_they_come(t: Training) -> Step:
    return within_the_limit(t, run)


def fixed_shapes(t: Training) -> Step:
    return within_the_limit(t, lambda texts: run(texts, padded=True))


def longest_length_first(t: Training) -> Step:
    return within_the_limit(t, lambda texts: run(texts, longest_first=True))


def as_in_the_guide(setup: Setup) -> None:
    os.environ.update(GROW)
    torch.ones(1, device=setup.device)


PAIR = Pair(
    claims=("fragmentation",),
    inputs=training,
    anti_pattern=as_they_come,
    recommended=fixed_shapes,
    variants={"expandable_segments": as_they_come, "longest_length_first": longest_length_first},
    environment={"expandable_segments": GROW},
    same=in_part("losses", within(rtol=1e-2)),
    metrics=(
        outcome,
        Metric("count", "reserved and unused at the peak", "B", read=lambda r: r["unused"]),
        count(lambda r: r["retries"], "allocation retries"),
        count(lambda r: r["tokens"], "tokens computed"),
    ),
    axis=Axis("limit", full=("spare-5", "spare-10", "spare-25"), quick=("spare-10",), outside=("static-spare-10",)),
    needs=Needs(cuda=True),
    seeds=3,
)
AS_WRITTEN = AsWritten(
    claim="fragmentation",
    where="G 7.2",
    usage=as_in_the_guide,
    modern="PYTORCH_ALLOC_CONF, the same settings under a name for every kind of GPU",
    needs=Needs(cuda=True),
)
