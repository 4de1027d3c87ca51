"""Clipping the gradient's norm to 1.0 is said to keep training from exploding.

Four recurrent networks learn to add two marked numbers of a sequence; the anti-pattern does not clip, the recommended
arm clips to the axis's bound. In the second pair one number of the gradient is not finite, and the variant looks at the
norm before it updates; the third pair times an update, and its variant clips parameter by parameter.

Theory: a gradient through many steps grows with a power of the recurrent weights, and one long update is enough to
leave where training works. A bound shortens such updates; one that is too low shortens all, as a lower rate does, and
so does any bound where weights forget and nothing explodes. A norm of NaN makes every gradient NaN, so that one bad
number is the end of all weights, without a word, since error_if_nonfinite is off (PyTorch's docs on clip_grad_norm_).
The cost is to read all gradients and to write them once.
"""

from functools import partial

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_

from bench import AsWritten, Axis, Pair, Setup, Step, count, exactly, loss, may_differ, time
from suites.workloads.bad_gradient import one_bad_number, weights_lost
from suites.workloads.compare import flat, in_part
from suites.workloads.labelled import Labelled, labelled
from suites.workloads.recurrent import Clip, Runs, adding, train

clip_to_one = partial(clip_grad_norm_, max_norm=1.0)


def no_clipping(parameters: object) -> Tensor:
    return torch.zeros(())


def unclipped(r: Runs) -> Step:
    return lambda: train(r, no_clipping)


def clipped(r: Runs) -> Step:
    return lambda: train(r, partial(clip_grad_norm_, max_norm=r.bound))


def bad_and_unclipped(gradients: list[Tensor]) -> Step:
    return lambda: weights_lost(gradients, no_clipping)


def bad_and_clipped(gradients: list[Tensor]) -> Step:
    return lambda: weights_lost(gradients, clip_to_one)


def bad_and_skipped(gradients: list[Tensor]) -> Step:
    return lambda: weights_lost(gradients, clip_to_one, skip_not_finite=True)


def network(setup: Setup) -> Labelled:
    torch.manual_seed(setup.seed)
    if setup.value == "many-small-layers":
        rows, width, depth = setup.pick(full=32, smoke=2, cuda=256), setup.pick(full=32, smoke=4, cuda=256), 40
    else:
        rows, width, depth = setup.pick(full=32, smoke=2, cuda=256), setup.pick(full=512, smoke=8, cuda=4096), 3
    return labelled(rows, width, depth, setup.device)


def one_update(w: Labelled, clip: Clip) -> Step:
    # At a rate of 0 every step starts from the same weights.
    optimizer = torch.optim.SGD(w.model.parameters(), lr=0.0)

    def step() -> dict[str, object]:
        optimizer.zero_grad()
        # Random weights give a norm below 1; a hundred times it is above.
        found = 100 * F.cross_entropy(w.model(w.x), w.labels)
        found.backward()
        clip(w.model.parameters())
        optimizer.step()
        return {"loss": found.detach(), "gradients": [p.grad for p in w.model.parameters()]}

    return step


def update_unclipped(w: Labelled) -> Step:
    return one_update(w, no_clipping)


def update_clipped(w: Labelled) -> Step:
    return one_update(w, clip_to_one)


def update_clipped_one_by_one(w: Labelled) -> Step:
    return one_update(w, partial(clip_to_one, foreach=False))


def too_long(result: dict[str, list[Tensor]]) -> bool:
    return float(flat(result["gradients"]).norm()) > 1.001


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
NOT_FINITE = Pair(
    claims=("clip-grad-norm",),
    inputs=one_bad_number,
    anti_pattern=bad_and_unclipped,
    recommended=bad_and_clipped,
    variants={"skipped_if_not_finite": bad_and_skipped},
    same=may_differ("the weights", because="how many are lost is what is counted"),
    metrics=(count(lambda lost: lost, "weights lost"),),
    axis=Axis("number", outside=("inf", "nan")),
    name="clip-grad-norm-not-finite",
)
COST = Pair(
    claims=("clip-grad-norm",),
    inputs=network,
    anti_pattern=update_unclipped,
    recommended=update_clipped,
    variants={"one_by_one": update_clipped_one_by_one},
    same=in_part("loss", exactly),
    metrics=(time, count(too_long, "gradients longer than 1")),
    axis=Axis("network", outside=("many-small-layers", "few-large-layers")),
    name="clip-grad-norm-cost",
)
AS_WRITTEN = AsWritten(claim="clip-grad-norm", where="F 3", usage=as_in_the_field_guide)
