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
from dataclasses import dataclass

import torch
from torch import Tensor

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, error, may_differ
from suites.workloads.compare import error_of
from suites.workloads.loops import Task, descended, guide_loop, joined, loss_of, moved, task

RATE = 0.1
MICRO_BATCHES = 4


@dataclass(frozen=True)
class Loop:
    """What is trained, where batches are skipped (``before-backward``, ``after-backward``), backwards per update."""

    task: Task
    skip: str
    k: int

    def skips(self, i: int) -> bool:
        """Whether the loop leaves batch ``i`` out."""
        return bool(self.skip) and i % 4 == 3

    def true_change(self) -> Tensor:
        """How far the weights move when each update is made from one batch of what is not skipped."""
        kept = [batch for i, batch in enumerate(self.task.batches) if not self.skips(i)]
        whole = [joined(kept[i : i + self.k]) for i in range(0, len(kept), self.k)]
        return moved(descended(self.task.model, whole, RATE), self.task.model)


def digits(setup: Setup) -> Loop:
    case = setup.point(str)
    skip = case.removeprefix("skip-") if case.startswith("skip-") else ""
    batches = setup.pick(full=48, smoke=8)
    return Loop(task(setup.seed, batches, rows=32), skip, MICRO_BATCHES if case == "accumulating" else 1)


def train(loop: Loop, clear: str) -> dict[str, Tensor]:
    model = copy.deepcopy(loop.task.model)
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)
    for i, batch in enumerate(loop.task.batches):
        if loop.skips(i) and loop.skip == "before-backward":
            continue
        if clear == "before-backward" or (clear == "before-the-first" and i % loop.k == 0):
            optimizer.zero_grad()
        (loss_of(model, batch) / loop.k).backward()
        if loop.skips(i) or (i + 1) % loop.k:
            continue
        optimizer.step()
        if clear == "at-the-end":
            optimizer.zero_grad()
    return {"change": moved(model, loop.task.model), "true change": loop.true_change()}


def cleared_at_the_end(loop: Loop) -> Step:
    return lambda: train(loop, clear="at-the-end")


def cleared_before_backward(loop: Loop) -> Step:
    return lambda: train(loop, clear="before-backward")


def cleared_before_the_first(loop: Loop) -> Step:
    return lambda: train(loop, clear="before-the-first")


PAIR = Pair(
    claims=("zero-grad-position",),
    inputs=digits,
    anti_pattern=cleared_at_the_end,
    recommended=cleared_before_backward,
    variants={"cleared_before_the_first": cleared_before_the_first},
    same=may_differ("the weights", because="what leaks from a skipped batch is what is measured"),
    metrics=(error(error_of("change"), "weight error"),),
    axis=Axis("loop", full=("skip-after-backward", "skip-before-backward"), outside=("no-skips", "accumulating")),
    needs=Needs(cpu=True, packages=("sklearn",)),
)
AS_WRITTEN = AsWritten(claim="zero-grad-position", where="G 4.1", usage=guide_loop)
