"""zero_grad(set_to_none=True) is said to be more efficient than writing zeros into the gradients.

A step trains a network on four batches and then clears, so that what the gradients hold is what is kept between steps.
The anti-pattern writes zeros, the recommended arm sets them to None, the variant calls zero_grad() as it stands, which
is the same since PyTorch 2.0. The second pair has a layer with a gradient in the first update and none in nine more.

Theory: without a tensor to add to, backward hands its own over, so the zeros and the addition are saved; both cost as
many bytes as there are weights, whatever the batch, so the gain shrinks as the batch grows. But optimizers step with a
gradient of zeros and skip one that is None (PyTorch's docs on zero_grad): with zeros an unused weight goes on to decay
by 1 - rate × decay in each update, or to be carried by momentum; with None it stays.
"""

import copy
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bench import AsWritten, Axis, Metric, Pair, Setup, Step, error, exactly, may_differ, peak_memory, time
from suites.workloads.compare import error_of, in_part
from suites.workloads.layers import CLASSES, dense, normal
from suites.workloads.unused import Unused, unused_layer, updates

BATCHES = 4


@dataclass(frozen=True)
class Work:
    """A model and its batch."""

    model: nn.Sequential
    x: Tensor
    labels: Tensor


def many_weights(setup: Setup) -> Work:
    torch.manual_seed(setup.seed)
    width, rows = setup.pick(full=256, smoke=8, cuda=4096), setup.point(int)
    labels = torch.randint(CLASSES, (rows,)).to(setup.device)
    return Work(dense(width, depth=6).to(setup.device), normal(rows, width, device=setup.device), labels)


def train(w: Work, **how: bool) -> Step:
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


def to_zeros(w: Work) -> Step:
    return train(w, set_to_none=False)


def to_none(w: Work) -> Step:
    return train(w, set_to_none=True)


def by_default(w: Work) -> Step:
    return train(w)


def unused_to_zeros(u: Unused) -> Step:
    return lambda: updates(u, set_to_none=False)


def unused_to_none(u: Unused) -> Step:
    return lambda: updates(u, set_to_none=True)


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
UNUSED = Pair(
    claims=("zero-grad-set-to-none",),
    inputs=unused_layer,
    anti_pattern=unused_to_zeros,
    recommended=unused_to_none,
    same=may_differ("the unused weights", because="the updates that None skips are what is measured"),
    metrics=(error(error_of("weights"), "unused weights' error"), time),
    axis=Axis("optimizer", outside=("weight-decay", "momentum")),
    name="zero-grad-set-to-none-unused",
)
AS_WRITTEN = AsWritten(
    claim="zero-grad-set-to-none", where="F 3", usage=as_in_the_field_guide, modern="zero_grad(), whose default it is"
)
