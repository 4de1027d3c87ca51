"""zero_grad(set_to_none=True) is said to be more efficient than writing zeros into the gradients.

A step trains a network on four batches and then clears, so that what the gradients hold is what is kept between steps.
The anti-pattern writes zeros, the recommended arm sets them to None, the variant calls zero_grad() as it stands, which
is the same since PyTorch 2.0.

Theory: without a tensor to add to, backward hands its own over, so the zeros and the addition are saved; both cost as
many bytes as there are weights, whatever the batch, so the gain shrinks as the batch grows.
"""

import copy

import torch
from torch import nn
from torch.nn import functional as F

from bench import AsWritten, Axis, Metric, Pair, Setup, Step, exactly, peak_memory, time
from suites.workloads.compare import in_part
from suites.workloads.labelled import Labelled, labelled

BATCHES = 4


def many_weights(setup: Setup) -> Labelled:
    torch.manual_seed(setup.seed)
    width, rows = setup.pick(full=256, smoke=8, cuda=4096), setup.point(int)
    return labelled(rows, width, depth=6, device=setup.device)


def train(w: Labelled, **how: bool) -> Step:
    model = copy.deepcopy(w.model)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def step() -> dict[str, object]:
        for _ in range(BATCHES):
            optimizer.zero_grad(**how)
            loss = F.cross_entropy(model(w.x), w.labels)
            loss.backward()
            optimizer.step()
        optimizer.zero_grad(**how)
        return {"loss": loss.detach(), "held": sum(p.grad.nbytes for p in model.parameters() if p.grad is not None)}

    return step


def to_zeros(w: Labelled) -> Step:
    return train(w, set_to_none=False)


def to_none(w: Labelled) -> Step:
    return train(w, set_to_none=True)


def by_default(w: Labelled) -> Step:
    return train(w)


def as_in_the_field_guide(setup: Setup) -> None:
    layer = nn.Linear(2, 1).to(setup.device)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    optimizer.zero_grad(set_to_none=True)
    layer(torch.ones(1, 2, device=setup.device)).sum().backward()
    optimizer.step()


PAIR = Pair(
    claims=("zero-grad-set-to-none",),
    inputs=many_weights,
    anti_pattern=to_zeros,
    recommended=to_none,
    variants={"by_default": by_default},
    same=in_part("loss", exactly),
    metrics=(time, peak_memory, Metric("size", "gradients kept between steps", "B", read=lambda r: r["held"])),
    axis=Axis("rows", full=(8, 64, 512), quick=(8, 512), smoke=(2,)),
)
AS_WRITTEN = AsWritten(
    claim="zero-grad-set-to-none", where="F 3", usage=as_in_the_field_guide, modern="zero_grad(), whose default it is"
)
