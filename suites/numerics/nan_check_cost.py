"""Every parameter's gradient is to be checked for NaN and Inf while training; here against one check of them all.

A step is a forward, a backward and the check. The anti-pattern tests each gradient twice, for NaN and for Inf, as the
field guide does; the recommended arm takes the largest absolute value of all of them, which is finite if they are.
Variants: one test per gradient, and none. Counted is how often a check reads a value from the device: each read waits
for it.

Theory: the guide's check writes a mask for each test and reads two values per gradient; the largest value is one pass
and one read. On a CPU reading is free, on a GPU it ends the head start that the host has. A parameter without a
gradient, frozen or unused, has None there, on which the guide's check raises. Its check names the parameter and the one
check does not: that is what the slow one is for, once the fast one has found something.
"""

import math

import torch
from torch import Tensor, nn
from torch.nn.utils import get_total_norm

from bench import AsWritten, Axis, Pair, Setup, Step, count, exactly, outcome, time
from suites.workloads.compare import in_part
from suites.workloads.guarded import Training, guarded, no_check, training


def nan_or_inf(tensor: Tensor) -> bool:
    found = False
    if torch.isnan(tensor).any():
        found = True
    if torch.isinf(tensor).any():
        found = True
    return found


def each_twice(model: nn.Module) -> bool:
    return sum(nan_or_inf(p.grad) for p in model.parameters()) > 0


def each_once(model: nn.Module) -> bool:
    return sum(not p.grad.isfinite().all() for p in model.parameters() if p.grad is not None) > 0


def all_at_once(model: nn.Module) -> bool:
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    return not get_total_norm(gradients, norm_type=math.inf).isfinite()


def check_each_twice(t: Training) -> Step:
    return guarded(t, each_twice)


def check_all_at_once(t: Training) -> Step:
    return guarded(t, all_at_once)


def check_each_once(t: Training) -> Step:
    return guarded(t, each_once)


def check_nothing(t: Training) -> Step:
    return guarded(t, no_check)


def as_written(setup: Setup) -> None:
    model = nn.Linear(2, 2).to(setup.device)
    model(torch.ones(1, 2, device=setup.device)).sum().backward()
    for name, param in model.named_parameters():
        if torch.isnan(param.grad).any():
            print(f"NaN detected in grad_{name}")
        if torch.isinf(param.grad).any():
            print(f"Inf detected in grad_{name}")


PAIR = Pair(
    claims=("nan-check-cost",),
    inputs=training,
    anti_pattern=check_each_twice,
    recommended=check_all_at_once,
    variants={"check_each_once": check_each_once, "check_nothing": check_nothing},
    same=in_part("checked", exactly),
    metrics=(time, count(lambda r: r["reads"], "values read from the device"), outcome),
    axis=Axis("model", full=("twelve-layers", "hundred-layers"), outside=("frozen-layer",)),
)
AS_WRITTEN = AsWritten(claim="nan-check-cost", where="F 6", usage=as_written)
