"""zero_grad() is said to belong before backward: at the loop's end a ``continue`` jumps over it, and gradients leak.

A loop skips every fourth batch. The anti-pattern clears at the loop's end, after the update, the recommended arm right
before every backward, the variant before the first backward of each update. The error is that of how far the weights
moved, against a loop that never saw the skipped batches, or that made each update from one large batch.

Theory: a ``continue`` before backward leaves nothing behind, so only one after it leaks (as when the gradient itself is
found to be bad). Over several backwards for one update the rule contradicts the same guide's gradient accumulation: all
but the last micro-batch are cleared, and of k alike ones 1 - 1/k of the update is gone. The skipped batches here are
ordinary ones; one that deserves to be skipped leaks worse.
"""

import copy

import torch
from torch import Tensor

from bench import AsWritten, Axis, Needs, Pair, Step, error, may_differ
from suites.workloads.compare import error_of
from suites.workloads.loops import guide_loop, loss_of, moved
from suites.workloads.skipping import RATE, Loop, loop


def train(a: Loop, clear: str) -> dict[str, Tensor]:
    model = copy.deepcopy(a.task.model)
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
    for i, batch in enumerate(a.task.batches):
        if a.skips(i) and a.skip == "before-backward":
            continue
        if clear == "before-backward" or (clear == "before-the-first" and i % a.k == 0):
            optimizer.zero_grad()
        (loss_of(model, batch) / a.k).backward()
        if a.skips(i) or (i + 1) % a.k:
            continue
        optimizer.step()
        if clear == "at-the-end":
            optimizer.zero_grad()
    return {"change": moved(model, a.task.model), "true change": a.true_change()}


def cleared_at_the_end(a: Loop) -> Step:
    return lambda: train(a, clear="at-the-end")


def cleared_before_backward(a: Loop) -> Step:
    return lambda: train(a, clear="before-backward")


def cleared_before_the_first(a: Loop) -> Step:
    return lambda: train(a, clear="before-the-first")


PAIR = Pair(
    claims=("zero-grad-position",),
    inputs=loop,
    anti_pattern=cleared_at_the_end,
    recommended=cleared_before_backward,
    variants={"cleared_before_the_first": cleared_before_the_first},
    same=may_differ("the weights", because="what leaks from a skipped batch is what is measured"),
    metrics=(error(error_of("change"), "weight error"),),
    axis=Axis("loop", full=("skip-after-backward", "skip-before-backward"), outside=("no-skips", "accumulating")),
    needs=Needs(cpu=True, packages=("sklearn",)),
)
AS_WRITTEN = AsWritten(claim="zero-grad-position", where="G 4.1", usage=guide_loop)
