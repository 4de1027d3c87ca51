"""Mixed precision training is said to save 30 to 40 % of the memory.

A step trains a model on a batch; the anti-pattern in float32, the recommended arm with float16 autocast and a scaler.
The second pair is for the CPU, with bfloat16, its type for autocast and as small: there the memory counted is the
tensors', and what the graph saves for the backward is counted on its own, without weights and inputs; no seed changes
either.

Theory: autocast halves the activations that products, convolutions and what follows them keep, and nothing else:
weights, their gradients and the optimizer's state stay float32, and every weight gets a copy in half precision that
lives until its backward. Where activations outweigh the rest, up to half is saved. At a small batch there are hardly
any: the copies fill the room that gradients take afterwards, and where gradients are kept, as when they accumulate over
micro-batches, they make it more. Normalisations and losses run in float32 and keep float32 tensors besides.
"""

from collections.abc import Callable

import torch

from bench import AsWritten, Axis, Metric, Needs, Pair, Step, peak_memory, within
from suites.workloads.compare import in_part
from suites.workloads.mixed_precision import Task, bytes_saved, task, training
from suites.workloads.one_layer import with_scaler_as_written


def in_float32(t: Task) -> Step:
    return training(t, t.model(), None)


def in_mixed_precision(t: Task) -> Step:
    return training(t, t.model(), torch.float16)


def counting(t: Task, kind: torch.dtype | None) -> Callable[[], dict[str, object]]:
    model = t.model()
    step = training(t, model, kind)

    def counted() -> dict[str, object]:
        loss, saved = bytes_saved(step, besides=(*model.parameters(), *model.buffers(), t.x, t.labels))
        return {"loss": loss, "saved": saved}

    return counted


def counted_in_float32(t: Task) -> Step:
    return counting(t, None)


def counted_in_bfloat16(t: Task) -> Step:
    return counting(t, torch.bfloat16)


KINDS = Axis(
    "model",
    full=("dense-middle-batch", "dense-large-batch", "convolutions", "transformer"),
    outside=("dense-small-batch", "accumulating-small-batch"),
)

PAIR = Pair(
    claims=("amp-memory",),
    inputs=task,
    anti_pattern=in_float32,
    recommended=in_mixed_precision,
    same=within(rtol=2e-2, atol=2e-2),
    metrics=(peak_memory,),
    axis=KINDS,
    needs=Needs(cuda=True),
)
SAVED = Pair(
    claims=("amp-memory",),
    inputs=task,
    anti_pattern=counted_in_float32,
    recommended=counted_in_bfloat16,
    same=in_part("loss", within(rtol=5e-2, atol=5e-2)),
    metrics=(peak_memory, Metric("size", "saved for the backward", "B", read=lambda r: r["saved"])),
    axis=KINDS,
    needs=Needs(cpu=True),
    seeds=2,
    name="amp-memory-saved",
)

AS_WRITTEN = AsWritten(
    "amp-memory", "G 4.3", with_scaler_as_written, modern="torch.amp.GradScaler(device), torch.autocast(device)"
)
