"""Padding each batch to its own longest sample is said to be enough; a global maximum only adds to the work.

Real lines of text go through a small transformer encoder, forward and backward, in batches of the axis's size. The
anti-pattern pads them to the longest line of the whole collection, the recommended arm to the batch's longest, and the
variant batches lines of like length first. A mask leaves the padding out, so that every line has one loss in all arms.

Theory: the work grows with the places, real or not. A few lines here are many times longer than most, so a global
maximum is mostly padding; the larger a random batch, the likelier it holds one of them, and the smaller the gain: that
is what buckets mend. Compiled code (point ``compiled``, batches of 8) sees one shape with the global maximum and many
with the others; how often that makes torch.compile compile anew is what "graphs compiled" counts.
"""

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, count, peak_memory, share, throughput, time, within
from suites.workloads.compare import in_part
from suites.workloads.line_training import LineTraining, line_training, one_pass
from suites.workloads.padding import longest_of, pad_to, random_tokens
from suites.workloads.texts import PACKAGES


def global_maximum(t: LineTraining) -> Step:
    return one_pass(t, lambda batch: t.longest)


def batch_maximum(t: LineTraining) -> Step:
    return one_pass(t, longest_of)


def length_buckets(t: LineTraining) -> Step:
    return one_pass(t, longest_of, bucketed=True)


def pad_to_the_longest(setup: Setup) -> None:
    batch = random_tokens([2, 5, 3])
    pad_to(batch, longest_of(batch))


PAIR = Pair(
    claims=("pad-to-batch-max",),
    inputs=line_training,
    anti_pattern=global_maximum,
    recommended=batch_maximum,
    variants={"length_buckets": length_buckets},
    same=in_part("losses", within(rtol=1e-3, atol=1e-4)),
    metrics=(
        time,
        throughput(lambda r: r["tokens"], "real tokens per second"),
        share(lambda r: r["padding"], "padding share", better="lower"),
        peak_memory,
        count(lambda r: r["graphs"], "graphs compiled"),
    ),
    axis=Axis("batch", full=(8, 32, "compiled"), quick=(32,), smoke=(8,)),
    needs=Needs(packages=PACKAGES),
    timeout=300.0,
)
AS_WRITTEN = AsWritten(claim="pad-to-batch-max", where="G 5.3", usage=pad_to_the_longest)
