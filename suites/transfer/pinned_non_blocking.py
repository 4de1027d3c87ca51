"""Pinned memory with non_blocking copies is said to overlap transfer and compute, and so to keep the GPU busy.

Eight batches are copied to the GPU and put through some matrix products. The anti-pattern copies pageable batches and
waits for each, the recommended arm copies batches that a loader's thread would have pinned (here: at set-up) without
waiting. Variants: pinned but waiting, as the field guide's own loop does; pinning each batch in the loop; and copying
the next batch in a stream of its own.

Theory: copy and products are queued in one stream, so the GPU still does them one after the other; what is saved is the
staging of pageable memory and the host's waiting. Both vanish beside enough compute, and pinning itself costs a copy.
For an overlap on the GPU the copies need a stream of their own, as PyTorch's docs on CUDA semantics have it.
"""

import torch
from torch.utils.data import DataLoader, TensorDataset

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, time, utilisation, within
from suites.workloads.feeding import Feed, all_pinned, feed, in_turn, one_ahead, pinned, timed


def pageable_and_blocking(f: Feed) -> Step:
    return timed(in_turn(f, f.batches, lambda x: x.to(f.device)))


def pinned_and_non_blocking(f: Feed) -> Step:
    return timed(in_turn(f, all_pinned(f), lambda x: x.to(f.device, non_blocking=True)))


def pinned_and_blocking(f: Feed) -> Step:
    return timed(in_turn(f, all_pinned(f), lambda x: x.to(f.device)))


def pin_each_batch(f: Feed) -> Step:
    return timed(in_turn(f, f.batches, lambda x: pinned(x).to(f.device, non_blocking=True)))


def in_a_stream_of_their_own(f: Feed) -> Step:
    return timed(one_ahead(f, all_pinned(f)))


def as_written(setup: Setup, non_blocking: bool) -> None:
    loader = DataLoader(TensorDataset(torch.ones(4, 2)), batch_size=2, pin_memory=True, num_workers=1)
    for (x,) in loader:
        x.to(setup.device, non_blocking=non_blocking)


def as_in_the_guide(setup: Setup) -> None:
    as_written(setup, non_blocking=True)


def as_in_the_field_guide(setup: Setup) -> None:
    as_written(setup, non_blocking=False)


PAIR = Pair(
    claims=("pinned-non-blocking",),
    inputs=feed,
    anti_pattern=pageable_and_blocking,
    recommended=pinned_and_non_blocking,
    variants={
        "pinned_and_blocking": pinned_and_blocking,
        "pin_each_batch": pin_each_batch,
        "in_a_stream_of_their_own": in_a_stream_of_their_own,
    },
    same=within(rtol=1e-4, atol=1e-6),
    metrics=(time, utilisation),
    axis=Axis("products", full=(1, 16, 64, 256), quick=(1, 64), smoke=(2,)),
    needs=Needs(cuda=True),
    inputs_read="at set-up",
)
AS_WRITTEN_G = AsWritten(claim="pinned-non-blocking", where="G 2.3", usage=as_in_the_guide)
AS_WRITTEN_F = AsWritten(claim="pinned-non-blocking", where="F 2", usage=as_in_the_field_guide)
