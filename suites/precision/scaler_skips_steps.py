"""scaler.step() is said to skip the update when a gradient overflows, which everything that counts steps must follow.

A classifier trains for some steps under a cosine schedule. The anti-pattern lets the schedule step every time, the
recommended arm only when the scaler did not lower its scale, which is how a skipped update shows; the variant uses
bfloat16 without a scaler. What counts is by how many steps the schedule is ahead of the optimizer.

Theory: the scale starts at 65,536, more than float16 can hold, and halves with every skipped update. A loss summed over
the batch has gradients above 1 and so skips the first updates; a mean has small ones and need not skip any. Later on
the scale doubles every 2,000 steps, so that about one update in 2,000 is skipped. bfloat16 has nothing to skip.
"""

import copy

import torch
from torch.nn import functional as F
from torch.optim.lr_scheduler import CosineAnnealingLR

from bench import AsWritten, Axis, Pair, Step, count, may_differ
from suites.workloads.mixed_precision import autocast, scaler
from suites.workloads.one_layer import with_scaler_as_written
from suites.workloads.scheduled import Loop, classifier


def steps_apart(loop: Loop, kind: torch.dtype, gated: bool) -> int:
    model, scaling, updates = copy.deepcopy(loop.model), scaler(loop.x.device, kind), []
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    optimizer.register_step_post_hook(lambda *_: updates.append(1))
    schedule = CosineAnnealingLR(optimizer, T_max=loop.steps)
    for _ in range(loop.steps):
        optimizer.zero_grad()
        with autocast(loop.x.device, kind):
            loss = F.cross_entropy(model(loop.x), loop.labels, reduction=loop.reduction)
        scaling.scale(loss).backward()
        scale = scaling.get_scale()
        scaling.step(optimizer)
        scaling.update()
        if not gated or scaling.get_scale() >= scale:
            schedule.step()
    return schedule.last_epoch - len(updates)


def schedule_every_step(loop: Loop) -> Step:
    return lambda: steps_apart(loop, torch.float16, gated=False)


def schedule_after_an_update(loop: Loop) -> Step:
    return lambda: steps_apart(loop, torch.float16, gated=True)


def bfloat16_every_step(loop: Loop) -> Step:
    return lambda: steps_apart(loop, torch.bfloat16, gated=False)


PAIR = Pair(
    claims=("scaler-skips-steps",),
    inputs=classifier,
    anti_pattern=schedule_every_step,
    recommended=schedule_after_an_update,
    variants={"bfloat16_every_step": bfloat16_every_step},
    same=may_differ("the schedule's steps", because="those without an update are what is counted"),
    metrics=(count(abs, "schedule steps without an update"),),
    axis=Axis("loss", full=("sum",), outside=("mean",)),
)

AS_WRITTEN = AsWritten(
    "scaler-skips-steps", "G 4.3", with_scaler_as_written, modern="torch.amp.GradScaler(device), torch.autocast(device)"
)
