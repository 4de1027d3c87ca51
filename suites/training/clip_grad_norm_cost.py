"""What clipping the gradient's norm to 1.0, which is said to keep training from exploding, costs an update.

A step is an update of a dense network, of many small layers or of few large ones; the anti-pattern does not clip, the
recommended arm does, and the variant clips parameter by parameter.

Theory: the cost is to read all gradients and to write them once.
"""

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_

from bench import Axis, Pair, Setup, Step, count, exactly, time
from suites.workloads.bounds import Clip, clip_to_one, no_clipping
from suites.workloads.compare import flat, in_part
from suites.workloads.labelled import Labelled, labelled


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


def unclipped(w: Labelled) -> Step:
    return one_update(w, no_clipping)


def clipped(w: Labelled) -> Step:
    return one_update(w, clip_to_one)


def clipped_one_by_one(w: Labelled) -> Step:
    return one_update(w, lambda parameters: clip_grad_norm_(parameters, max_norm=1.0, foreach=False))


def too_long(result: dict[str, list[Tensor]]) -> bool:
    return float(flat(result["gradients"]).norm()) > 1.001


PAIR = Pair(
    claims=("clip-grad-norm",),
    inputs=network,
    anti_pattern=unclipped,
    recommended=clipped,
    variants={"one_by_one": clipped_one_by_one},
    same=in_part("loss", exactly),
    metrics=(time, count(too_long, "gradients longer than 1")),
    axis=Axis("network", outside=("many-small-layers", "few-large-layers")),
)
