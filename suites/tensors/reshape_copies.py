"""Reshaping a transposed tensor in the loop is said to copy it silently every time; better put its layout right once.

The anti-pattern calls reshape() before each of eight uses; the recommended arm calls contiguous() once, then view().
Both take the largest element at each use, so that the reshaped tensor is really read.

Theory: reshape() copies only where no view exists. A contiguous input has one, so there is nothing to save. A strided
one whose steps fit together has one too: there the advice adds a copy, which pays only if strides slow the uses down.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from bench import AsWritten, Axis, Pair, Setup, Step, allocated, count, exactly, time
from suites.workloads.compare import in_part
from suites.workloads.layers import normal

USES = 8


def matrix(setup: Setup) -> Tensor:
    torch.manual_seed(setup.seed)
    side = setup.pick(full=512, smoke=8, cuda=4096)
    if setup.value == "stride-compatible":
        return normal(side, 2 * side, device=setup.device)[:, ::2]
    x = normal(side, side, device=setup.device)
    return x.t() if setup.value == "transposed" else x


def loop(x: Tensor, flatten: Callable[[Tensor], Tensor]) -> dict[str, object]:
    largest, copies = [], 0
    for _ in range(USES):
        row = flatten(x)
        copies += not shares(row, x)
        largest.append(row.amax())
    return {"largest": largest, "copies": copies}


def shares(a: Tensor, b: Tensor) -> bool:
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()


def reshape_each_time(x: Tensor) -> Step:
    return lambda: loop(x, lambda t: t.reshape(-1))


def fix_the_layout_once(x: Tensor) -> Step:
    def step() -> dict[str, object]:
        fixed = x.contiguous()
        result = loop(fixed, lambda t: t.view(-1))
        return {**result, "copies": int(not shares(fixed, x))}

    return step


def contiguous_each_time(x: Tensor) -> Step:
    return lambda: loop(x, lambda t: t.contiguous().view(-1))


def as_in_the_guide(setup: Setup) -> Tensor:
    x = torch.ones(2, 3, device=setup.device).t()
    return x.reshape(6) + x.contiguous().view(6)


PAIR = Pair(
    claims=("reshape-copies",),
    inputs=matrix,
    anti_pattern=reshape_each_time,
    recommended=fix_the_layout_once,
    variants={"contiguous_each_time": contiguous_each_time},
    same=in_part("largest", exactly),
    metrics=(time, allocated, count(lambda r: r["copies"], "copies made")),
    axis=Axis("input", full=("transposed",), outside=("contiguous", "stride-compatible")),
)
AS_WRITTEN = AsWritten(claim="reshape-copies", where="G 2.1", usage=as_in_the_guide)
