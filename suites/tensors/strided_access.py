"""Strides are said to explain why an operation is slow: the same one on a contiguous operand is faster.

The anti-pattern works on an operand whose neighbours lie far apart in memory, the recommended arm on a contiguous copy
that was made beforehand, and the variant makes that copy for this one use. The operand is a transposed matrix, or at
``every-8th-column`` a slice.

Theory: an elementwise operation alone goes through memory in its own order, so a transposed operand costs it nothing;
only beside an operand of another layout has one of the two to be read across. There the size decides: rows 4 KiB apart
share one set of the cache, so 1024 floats are the worst width, and the others here are 1000. A matrix product takes a
transposed factor as it is. A slice reads a cache line, 16 floats, for each two that it uses. A copy for one use pays
only where it is read across more cleverly, in square blocks, than the operation would do it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from bench import AsWritten, Axis, Pair, Setup, Step, time, within
from suites.workloads.layers import normal

USES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "elementwise": lambda x, other: x.exp(),
    "elementwise-mixed": torch.add,
    "elementwise-mixed-1024-wide": torch.add,
    "row-sums": lambda x, other: x.sum(1),
    "every-8th-column": lambda x, other: x.exp(),
    "matrix-product": lambda x, other: x @ other[:, :64],
}


@dataclass(frozen=True)
class Operands:
    """A strided operand, a contiguous one to go with it, and what is done with them."""

    x: Tensor
    other: Tensor
    use: Callable[[Tensor, Tensor], Tensor]


def operands(setup: Setup) -> Operands:
    torch.manual_seed(setup.seed)
    use = setup.point(str)
    side = setup.pick(full=1024 if use.endswith("1024-wide") else 1000, smoke=16, cuda=4096)
    x, other = (normal(side, side, device=setup.device) for _ in range(2))
    return Operands(x[:, ::8] if use == "every-8th-column" else x.t(), other, USES[use])


def strided(o: Operands) -> Step:
    return lambda: o.use(o.x, o.other)


def contiguous_beforehand(o: Operands) -> Step:
    x = o.x.contiguous()
    return lambda: o.use(x, o.other)


def copied_for_one_use(o: Operands) -> Step:
    return lambda: o.use(o.x.contiguous(), o.other)


def as_in_the_guide(setup: Setup) -> tuple[int, ...]:
    return torch.ones(3, 1, device=setup.device).expand(3, 4).stride()


PAIR = Pair(
    claims=("strided-access",),
    inputs=operands,
    anti_pattern=strided,
    recommended=contiguous_beforehand,
    variants={"copied_for_one_use": copied_for_one_use},
    same=within(rtol=1e-4, atol=1e-3),
    metrics=(time,),
    axis=Axis("use", full=tuple(USES), quick=("elementwise-mixed", "row-sums", "matrix-product"), smoke=("row-sums",)),
    inputs_read="at set-up",
)
AS_WRITTEN = AsWritten(claim="strided-access", where="G 2.2", usage=as_in_the_guide)
