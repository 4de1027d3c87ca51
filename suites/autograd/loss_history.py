"""A history of losses is said to keep every step's graph in memory, unless .item() or .detach() is what it stores.

A step runs through all batches and keeps a history. The anti-pattern appends the loss as it is, the recommended arm its
.item(), the variant its .detach().

Theory: a graph holds the input of every layer until its backward. Evaluation without no_grad() makes no backward, so
there the history grows by all of that. In training each step frees the saved tensors, and what a history then keeps is
nodes, not activations. .item() waits for the GPU at every batch and .detach() does not, which shows where steps are
short.
"""

import torch
from torch import Tensor, nn

from bench import AsWritten, Axis, Pair, Setup, Step, peak_memory, time, within
from suites.workloads.histories import Keep, Loop, Run, as_it_is, batches, values


def history(a: Loop, keep: Keep) -> Step:
    run = Run(a, keep)
    return lambda: values(run())


def append_the_loss(a: Loop) -> Step:
    return history(a, as_it_is)


def append_the_item(a: Loop) -> Step:
    return history(a, Tensor.item)


def append_detached(a: Loop) -> Step:
    return history(a, Tensor.detach)


def as_in_the_guide(setup: Setup) -> list[float]:
    model, losses = nn.Linear(2, 1).to(setup.device), []
    for _ in range(2):
        loss = model(torch.ones(1, 2, device=setup.device)).sum()
        losses.append(loss.item())
    return losses


PAIR = Pair(
    claims=("loss-history",),
    inputs=batches,
    anti_pattern=append_the_loss,
    recommended=append_the_item,
    variants={"append_detached": append_detached},
    same=within(rtol=1e-5),
    metrics=(peak_memory, time),
    axis=Axis("loop", full=("evaluation", "training"), outside=("training-short-steps",)),
)
AS_WRITTEN = AsWritten(claim="loss-history", where="G 7.2", usage=as_in_the_guide)
