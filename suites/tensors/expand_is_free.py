"""Broadcasting a row with expand() is said to copy nothing, where repeat() writes the row out once per sample.

Every arm adds one row to each row of a batch: the anti-pattern repeats it first, the recommended arm expands it, and
the variant leaves it to the addition's own broadcasting.

Theory: the gain is the copy alone. Where what follows needs the row written out (here: as one flat vector), expand()
only puts the same copy off, and costs as much as repeat().
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from bench import AsWritten, Axis, Pair, Setup, Step, allocated, exactly, peak_memory, time
from suites.workloads.layers import normal


@dataclass(frozen=True)
class Batch:
    """A row, a batch to add it to, and whether what follows needs the row written out."""

    row: Tensor
    x: Tensor
    written_out: bool


def batch(setup: Setup) -> Batch:
    torch.manual_seed(setup.seed)
    rows, width = setup.pick(full=512, smoke=4, cuda=16384), setup.pick(full=512, smoke=3, cuda=4096)
    return Batch(
        normal(1, width, device=setup.device),
        normal(rows, width, device=setup.device),
        written_out=setup.value == "written-out",
    )


def add(b: Batch, wide: Tensor) -> Tensor:
    return b.x.view(-1) + wide.reshape(-1) if b.written_out else b.x + wide


def repeat(b: Batch) -> Step:
    return lambda: add(b, b.row.repeat(len(b.x), 1))


def expand(b: Batch) -> Step:
    return lambda: add(b, b.row.expand(len(b.x), -1))


def broadcast(b: Batch) -> Step:
    return lambda: add(b, b.row.expand_as(b.x) if b.written_out else b.row)


def as_in_the_guide(setup: Setup) -> Tensor:
    return torch.ones(3, 1, device=setup.device).expand(3, 4)


PAIR = Pair(
    claims=("expand-is-free",),
    inputs=batch,
    anti_pattern=repeat,
    recommended=expand,
    variants={"broadcast": broadcast},
    same=exactly,
    metrics=(allocated, time, peak_memory),
    axis=Axis("use", full=("added",), outside=("written-out",)),
)
AS_WRITTEN = AsWritten(claim="expand-is-free", where="G 2.2", usage=as_in_the_guide)
