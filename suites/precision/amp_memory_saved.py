"""Mixed precision training is said to save memory; here on a CPU, with bfloat16, its type for autocast and as small.

A step trains a model on a batch, in float32 or with autocast. The memory counted is the tensors', and what the graph
saves for the backward is counted on its own, without weights and inputs; no seed changes either.

Theory: autocast halves the activations that products, convolutions and what follows them keep, and every weight gets a
copy in half precision that lives until its backward. At a small batch the copies outweigh what is halved.
Normalisations and losses run in float32 and keep float32 tensors besides.
"""

from collections.abc import Callable

import torch

from bench import Axis, Metric, Needs, Pair, Step, peak_memory, within
from suites.workloads.compare import in_part
from suites.workloads.mixed_precision import Task, bytes_saved, task, training


def counting(t: Task, kind: torch.dtype | None) -> Callable[[], dict[str, object]]:
    model = t.model()
    step = training(t, model, kind)

    def counted() -> dict[str, object]:
        loss, saved = bytes_saved(step, besides=(*model.parameters(), *model.buffers(), t.x, t.labels))
        return {"loss": loss, "saved": saved}

    return counted


def in_float32(t: Task) -> Step:
    return counting(t, None)


def in_bfloat16(t: Task) -> Step:
    return counting(t, torch.bfloat16)


PAIR = Pair(
    claims=("amp-memory",),
    inputs=task,
    anti_pattern=in_float32,
    recommended=in_bfloat16,
    same=in_part("loss", within(rtol=5e-2, atol=5e-2)),
    metrics=(peak_memory, Metric("size", "saved for the backward", "B", read=lambda r: r["saved"])),
    axis=Axis(
        "model",
        full=("dense-middle-batch", "dense-large-batch", "convolutions", "transformer"),
        outside=("dense-small-batch", "accumulating-small-batch"),
    ),
    needs=Needs(cpu=True),
    seeds=2,
)
