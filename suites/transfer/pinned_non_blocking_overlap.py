"""Pinned memory with non_blocking copies is said to overlap transfer and compute; here is how much they do overlap.

Eight batches are copied to the GPU and put through some matrix products, and copies and products are marked in the
GPU's own time. The anti-pattern copies pageable batches and waits for each, the recommended arm copies pinned ones
without waiting. Variants: pinned but waiting; pinning each batch in the loop; and copying the next batch in a stream of
its own.

Theory: copy and products are queued in one stream, so the GPU still does them one after the other. For an overlap on
the GPU the copies need a stream of their own, as PyTorch's docs on CUDA semantics have it.
"""

from bench import Axis, Metric, Needs, Pair, Step, share, time, within
from suites.workloads.compare import in_part
from suites.workloads.feeding import Feed, all_pinned, feed, in_turn, one_ahead, pinned, traced


def pageable_and_blocking(f: Feed) -> Step:
    return traced(f, in_turn(f, f.batches, lambda x: x.to(f.device)))


def pinned_and_non_blocking(f: Feed) -> Step:
    return traced(f, in_turn(f, all_pinned(f), lambda x: x.to(f.device, non_blocking=True)))


def pinned_and_blocking(f: Feed) -> Step:
    return traced(f, in_turn(f, all_pinned(f), lambda x: x.to(f.device)))


def pin_each_batch(f: Feed) -> Step:
    return traced(f, in_turn(f, f.batches, lambda x: pinned(x).to(f.device, non_blocking=True)))


def in_a_stream_of_their_own(f: Feed) -> Step:
    return traced(f, one_ahead(f, all_pinned(f)))


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
    same=in_part("means", within(rtol=1e-4, atol=1e-6)),
    metrics=(
        share(lambda r: r["overlap"], "share of the copying beside products", better="higher"),
        Metric("throughput", "transfer rate", "GB/s", better="higher", read=lambda r: r["GB/s"], exact=False),
        time,
    ),
    axis=Axis("products", outside=(16, 64), smoke=(2,)),
    needs=Needs(cuda=True),
    inputs_read="at set-up",
)
