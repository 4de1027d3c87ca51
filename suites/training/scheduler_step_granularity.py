"""scheduler.step() is said to belong to the epoch; at the wrong place the learning rate follows another curve.

The anti-pattern calls it after each batch, the recommended arm after each epoch, and the variant at the beginning of
each epoch, before the optimizer's step. The error is how far the rates that the updates used lie from those that the
schedule's formula gives for them.

Theory: a scheduler counts its calls and knows neither batches nor epochs, so what is right is what its length was given
in. A cosine over epochs that is stepped per batch swings up and down all through the training, √(2/3) = 0.82 off. One
cycle and warm restarts are made for batches (PyTorch's docs on OneCycleLR); stepped per epoch they hardly begin. Before
the optimizer's step the first rate is skipped, of which PyTorch warns.
"""

import torch
from torch.optim.lr_scheduler import CosineAnnealingLR

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, error, may_differ
from suites.workloads.compare import error_of
from suites.workloads.rate_curves import Plan, plan, rates


def per_batch(p: Plan) -> Step:
    return lambda: rates(p, per_batch=True)


def per_epoch(p: Plan) -> Step:
    return lambda: rates(p)


def before_the_optimizer(p: Plan) -> Step:
    return lambda: rates(p, before_the_optimizer=True)


def cosine_per_epoch(setup: Setup) -> None:
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True, device=setup.device)], lr=0.1)
    scheduler = CosineAnnealingLR(optimizer, T_max=2)
    for _ in range(2):
        optimizer.step()
        scheduler.step()


PAIR = Pair(
    claims=("scheduler-step-granularity",),
    inputs=plan,
    anti_pattern=per_batch,
    recommended=per_epoch,
    variants={"before_the_optimizer": before_the_optimizer},
    same=may_differ("the rates", because="how far they lie from the schedule is what is measured"),
    metrics=(error(error_of("rates"), "error of the rates"),),
    axis=Axis("schedule", full=("cosine", "steps"), outside=("one-cycle", "warm-restarts")),
    needs=Needs(cpu=True),
)
AS_WRITTEN = AsWritten(claim="scheduler-step-granularity", where="G 4.2", usage=cosine_per_epoch)
