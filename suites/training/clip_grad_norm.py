"""Clipping the gradient's norm to 1.0 is said to keep training from exploding.

Four recurrent networks learn to add two marked numbers of a sequence; the anti-pattern does not clip, the recommended
arm clips to the axis's bound.

Theory: a gradient through many steps grows with a power of the recurrent weights, and one long update is enough to
leave where training works. A bound shortens such updates; one that is too low shortens all, as a lower rate does, and
so does any bound where weights forget and nothing explodes.
"""

from functools import partial

import torch
from torch.nn.utils import clip_grad_norm_

from bench import AsWritten, Axis, Pair, Setup, Step, count, loss, may_differ
from suites.workloads.bounds import no_clipping
from suites.workloads.recurrent import Runs, adding, train


def unclipped(r: Runs) -> Step:
    return lambda: train(r, no_clipping)


def clipped(r: Runs) -> Step:
    return lambda: train(r, partial(clip_grad_norm_, max_norm=r.bound))


def as_in_the_field_guide(setup: Setup) -> None:
    layer = torch.nn.Linear(2, 1).to(setup.device)
    layer(torch.ones(1, 2, device=setup.device)).sum().backward()
    torch.nn.utils.clip_grad_norm_(layer.parameters(), max_norm=1.0)


PAIR = Pair(
    claims=("clip-grad-norm",),
    inputs=adding,
    anti_pattern=unclipped,
    recommended=clipped,
    same=may_differ("the training", because="whether it diverges is what is measured"),
    metrics=(count(lambda r: r["diverged"], "diverged runs of 4"), loss(lambda r: r["loss"], "median final loss")),
    axis=Axis("bound", full=("one",), outside=("a-hundredth", "a-hundred", "one-default-weights")),
    seeds=8,
)
AS_WRITTEN = AsWritten(claim="clip-grad-norm", where="F 3", usage=as_in_the_field_guide)
