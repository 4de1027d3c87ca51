"""prefetch_factor 2 or 3 is said to have batches wait for the training, and not the training for its batches.

A step is an epoch of 16 batches through two workers; a batch takes 1.5 ms to load and 2 ms to train on, on average. The
anti-pattern lets a worker load 1 batch ahead, the recommended arm 2 (what the loader does unasked), the variants 3, 8
and 16. At ``bursty`` one batch takes 16 ms and the others 0.5 ms, at ``even`` all take the same. The memory is that of
the batches that lie ready: they wait in shared memory that no process maps, so its process tree would not show them.

Theory: prefetching makes nothing faster, it bridges gaps. A batch is asked for w * factor batches before its turn (w
workers), so one that takes b seconds is waited for by b - w * factor * step: here 12, 8 and 4 ms for the factors 1, 2
and 3, and 0 from 4 upwards. Even batches that keep pace need no more than 1, and what falls behind for good is helped
by none. The price is memory: up to w * factor batches.
"""

import torch

from bench import AsWritten, Axis, Metric, Needs, Pair, Setup, Step, exactly, share, time
from suites.workloads.compare import in_part
from suites.workloads.slow_loading import Feed, feed, training


def factor_1(f: Feed) -> Step:
    return training(f, prefetch_factor=1)


def factor_2(f: Feed) -> Step:
    return training(f, prefetch_factor=2)


def factor_3(f: Feed) -> Step:
    return training(f, prefetch_factor=3)


def factor_8(f: Feed) -> Step:
    return training(f, prefetch_factor=8)


def factor_16(f: Feed) -> Step:
    return training(f, prefetch_factor=16)


def four_workers_and_two_ahead(setup: Setup) -> None:
    list(torch.utils.data.DataLoader(torch.arange(8), num_workers=4, prefetch_factor=2))


PAIR = Pair(
    claims=("prefetch-factor",),
    inputs=feed,
    anti_pattern=factor_1,
    recommended=factor_2,
    variants={"factor_3": factor_3, "factor_8": factor_8, "factor_16": factor_16},
    same=in_part("sums", exactly),
    metrics=(
        time,
        share(lambda r: r["waited"], "wait share", better="lower", exact=False),
        Metric("count", "memory of batches loaded ahead", "B", read=lambda r: r["ahead"], exact=False),
    ),
    axis=Axis("samples", full=("bursty", "even")),
    needs=Needs(cpu=True),
    cores="all",
    seeds=2,
)
AS_WRITTEN = AsWritten(claim="prefetch-factor", where="F 2", usage=four_workers_and_two_ahead)
