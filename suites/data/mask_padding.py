"""Padding is said to be counted by attention and loss unless a mask says which positions are real.

The anti-pattern treats every position alike, the recommended arm leaves out the padding: a mask for attention, a masked
mean, ignored targets in the loss. The error is the output's at real positions against each sequence run alone. The
variant takes the mask from the ids, as ``ids != padding``.

Theory: with equal lengths there is nothing to leave out. A mask taken from the ids is only as good as the padding's id:
here it is also a real token, which such a mask loses.
"""

import torch
from torch import Tensor

from bench import Axis, Pair, Setup, Step, error, may_differ
from suites.workloads.compare import error_of
from suites.workloads.sequences import PADDING, Padded, output, padded, truth


def sentences(setup: Setup) -> Padded:
    torch.manual_seed(setup.seed)
    use = setup.point(str)
    lengths = [12] * 4 if use == "equal-lengths" else [3, 6, 12, 24]
    return padded(lengths, width=setup.pick(full=32, smoke=8), use=use, device=setup.device)


def result(p: Padded, keep: Tensor) -> dict[str, Tensor]:
    return {"output": output(p, keep), "true output": truth(p)}


def no_mask(p: Padded) -> Step:
    return lambda: result(p, torch.ones_like(p.real))


def mask_by_length(p: Padded) -> Step:
    return lambda: result(p, p.real)


def mask_by_id(p: Padded) -> Step:
    return lambda: result(p, p.ids != PADDING)


PAIR = Pair(
    claims=("mask-padding",),
    inputs=sentences,
    anti_pattern=no_mask,
    recommended=mask_by_length,
    variants={"mask_by_id": mask_by_id},
    same=may_differ("the output", because="counting the padding is the fault that is measured"),
    metrics=(error(error_of("output"), "output error"),),
    axis=Axis("use", full=("attention", "loss"), outside=("mean-pooling", "equal-lengths")),
    seeds=10,
)
