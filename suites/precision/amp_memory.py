"""Mixed precision training is said to save 30 to 40 % of the memory.

A step trains a model on a batch; the anti-pattern in float32, the recommended arm with float16 autocast and a scaler.

Theory: autocast halves the activations that products, convolutions and what follows them keep, and nothing else:
weights, their gradients and the optimizer's state stay float32, and every weight gets a copy in half precision that
lives until its backward. Where activations outweigh the rest, up to half is saved. At a small batch there are hardly
any: the copies fill the room that gradients take afterwards, and where gradients are kept, as when they accumulate over
micro-batches, they make it more. Normalisations and losses run in float32 and keep float32 tensors besides.
"""

import torch

from bench import AsWritten, Axis, Needs, Pair, Step, peak_memory, within
from suites.workloads.mixed_precision import Task, task, training
from suites.workloads.one_layer import with_scaler_as_written


def in_float32(t: Task) -> Step:
    return training(t, t.model(), None)


def in_mixed_precision(t: Task) -> Step:
    return training(t, t.model(), torch.float16)


PAIR = Pair(
    claims=("amp-memory",),
    inputs=task,
    anti_pattern=in_float32,
    recommended=in_mixed_precision,
    same=within(rtol=2e-2, atol=2e-2),
    metrics=(peak_memory,),
    axis=Axis(
        "model",
        full=("dense-middle-batch", "dense-large-batch", "convolutions", "transformer"),
        outside=("dense-small-batch", "accumulating-small-batch"),
    ),
    needs=Needs(cuda=True),
)

AS_WRITTEN = AsWritten(
    "amp-memory", "G 4.3", with_scaler_as_written, modern="torch.amp.GradScaler(device), torch.autocast(device)"
)
