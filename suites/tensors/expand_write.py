"""An expanded tensor is said not to be safe to write in place, since one place in memory stands for many elements.

The anti-pattern writes into a column that expand() made four columns wide; the recommended arm clones it first. What
counts is how many elements changed beside those that were written.

Theory: there are two ways to fail. Writing one element, or one row, changes its neighbours without a word; an
operation over the whole tensor notices the overlap and raises.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from bench import AsWritten, Axis, Pair, Setup, Step, count, may_differ, outcome

COLUMNS = 4


@dataclass(frozen=True)
class Write:
    """A column to expand, what is written into it, and how many elements that means to change."""

    column: Tensor
    write: Callable[[Tensor], object]
    meant: int


def column(setup: Setup) -> Write:
    rows = setup.pick(full=64, smoke=3)
    writes: dict[object, tuple[Callable[[Tensor], object], int]] = {
        "element": (lambda t: t[0, 0].fill_(-1), 1),
        "part-of-a-row": (lambda t: t[0, :2].fill_(-1), 2),
        "whole-tensor": (lambda t: t.sub_(1000), rows * COLUMNS),
    }
    return Write(torch.arange(1.0, rows + 1, device=setup.device)[:, None], *writes[setup.value])


def changed(tensor: Tensor, w: Write) -> int:
    before = tensor.clone()
    w.write(tensor)
    return int((tensor != before).sum()) - w.meant


def write_into_expanded(w: Write) -> Step:
    return lambda: changed(w.column.clone().expand(-1, COLUMNS), w)


def clone_first(w: Write) -> Step:
    return lambda: changed(w.column.expand(-1, COLUMNS).clone(), w)


def as_in_the_guide(setup: Setup) -> None:
    torch.ones(3, 1, device=setup.device).expand(3, 4)[0, 0] = 9


PAIR = Pair(
    claims=("expand-write",),
    inputs=column,
    anti_pattern=write_into_expanded,
    recommended=clone_first,
    same=may_differ("the elements changed", because="writing to shared memory is the fault that is counted"),
    metrics=(count(lambda r: r, "elements changed unasked"), outcome),
    axis=Axis("write", full=("element", "part-of-a-row", "whole-tensor")),
)
AS_WRITTEN = AsWritten(claim="expand-write", where="G 2.2", usage=as_in_the_guide, modern="expand(3, 4).clone()")
