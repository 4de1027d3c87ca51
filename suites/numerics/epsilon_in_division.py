"""A division in a loss is said to turn training into NaN once its denominator is 0, which a small eps prevents.

The anti-pattern divides as the formula stands, the recommended arm adds 1e-8 to the denominator, and the variant adds
it inside the root where there is one. What counts is how much of a centre's gradient is finite, and how large it gets,
when one sample of the batch has the denominator 0: no element of it is selected, or it lies exactly on the centre.

Theory: eps cannot help where a root under the division has an infinite slope at 0, whose NaN the sum only passes on; a
norm of 0 plus 1e-8 gives a finite gradient of 1e8; and in half precision 1e-8 is 0.
"""

import torch
from torch import Tensor

from bench import Axis, Metric, Pair, Step, may_differ, share
from suites.workloads.denominators import Batch, batch

EPS = 1e-8


def gradient(b: Batch, eps: float, inside: float = 0.0) -> Tensor:
    centre = b.centre.clone().requires_grad_()
    z = b.x - centre
    if b.formula == "masked-mean":
        terms, denominator = z.square() * b.selected, b.selected.sum(1, keepdim=True) + inside
    elif b.formula == "norm" and not inside:
        terms, denominator = z, torch.linalg.vector_norm(z, dim=1, keepdim=True)
    else:
        terms, denominator = z, (z.square().sum(1, keepdim=True) + inside).sqrt()
    (terms / (denominator + eps)).sum().backward()
    assert centre.grad is not None
    return centre.grad


def as_the_formula_stands(b: Batch) -> Step:
    return lambda: gradient(b, eps=0.0)


def eps_in_the_denominator(b: Batch) -> Step:
    return lambda: gradient(b, eps=EPS)


def eps_inside_the_root(b: Batch) -> Step:
    return lambda: gradient(b, eps=0.0, inside=EPS)


def largest(found: Tensor) -> float:
    return float(found.abs().max())


PAIR = Pair(
    claims=("epsilon-in-division",),
    inputs=batch,
    anti_pattern=as_the_formula_stands,
    recommended=eps_in_the_denominator,
    variants={"eps_inside_the_root": eps_inside_the_root},
    same=may_differ("the gradient at a denominator of 0", because="NaN there is what the advice removes"),
    metrics=(
        share(lambda g: float(g.isfinite().float().mean()), "finite share of the gradient", better="higher"),
        Metric("error", "largest gradient", "", read=largest),
    ),
    axis=Axis("denominator", full=("masked-mean", "norm", "root"), outside=("half-precision", "never-zero")),
)
