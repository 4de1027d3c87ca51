"""Padding is said to be counted by attention and loss unless a mask says which positions are real.

The anti-pattern treats every position alike, the recommended arm leaves out the padding: a mask for attention, a masked
mean, ignored targets in the loss. The error is the output's at real positions against each sequence run alone. The
variant takes the mask from the ids, as ``ids != padding``.

Theory: with equal lengths there is nothing to leave out. A mask taken from the ids is only as good as the padding's id:
here it is also a real token, which such a mask loses. In the second pair one sequence is empty and its row fully
masked: a softmax over nothing but -inf is NaN. scaled_dot_product_attention() gives 0 for it, and so does torch's
encoder layer in training, but not the faster code that the same layer takes in inference.
"""

import torch
from torch import Tensor

from bench import Axis, Pair, Setup, Step, error, may_differ, share
from suites.workloads.compare import error_of
from suites.workloads.empty_rows import WithEmpty, beside_alone, with_empty
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


def one_empty(setup: Setup) -> WithEmpty:
    torch.manual_seed(setup.seed)
    return with_empty(setup.pick(full=32, smoke=8), setup.point(str), setup.device)


def attend_to_all(w: WithEmpty) -> Step:
    return lambda: beside_alone(w, torch.ones_like(w.real))


def attend_to_the_real(w: WithEmpty) -> Step:
    return lambda: beside_alone(w, w.real)


COUNTED = may_differ("the output", because="counting the padding is the fault that is measured")
PAIR = Pair(
    claims=("mask-padding",),
    inputs=sentences,
    anti_pattern=no_mask,
    recommended=mask_by_length,
    variants={"mask_by_id": mask_by_id},
    same=COUNTED,
    metrics=(error(error_of("output"), "output error"),),
    axis=Axis("use", full=("attention", "loss"), outside=("mean-pooling", "equal-lengths")),
)
EMPTY_ROW = Pair(
    claims=("mask-padding",),
    inputs=one_empty,
    anti_pattern=attend_to_all,
    recommended=attend_to_the_real,
    same=COUNTED,
    metrics=(
        error(error_of("output"), "output error"),
        share(lambda r: r["finite"], "finite share of the output", better="higher"),
    ),
    axis=Axis("attention", outside=("fused-attention", "own-softmax", "layer-training", "layer-inference")),
    name="mask-padding-empty-row",
)
