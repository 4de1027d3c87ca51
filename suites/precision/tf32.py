"""TF32 products are the baseline that mixed precision has to beat on recent GPUs (beyond the documents).

The anti-pattern multiplies float32 matrices at PyTorch's default precision, "highest", the recommended arm at "high",
which lets tensor cores round the factors to TF32. The error is the product's against float64, of its first rows.

Theory: TF32 keeps float32's range with ten bits behind the point, so each factor is rounded by at most 2^-11. Where
memory is the limit, as for a matrix times a few rows, nothing is gained: the factors are read in float32 all the same.
cuDNN's convolutions may use TF32 by default, whatever this setting says (PyTorch's CUDA notes).
"""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from bench import Axis, Needs, Pair, Setup, Step, error, time, within
from suites.workloads.compare import error_of, in_part
from suites.workloads.layers import normal

ROWS = 8


@dataclass(frozen=True)
class Product:
    """Two factors, and the first rows of their product in float64."""

    x: Tensor
    weight: Tensor
    truth: Tensor


def multiply(x: Tensor, weight: Tensor) -> Tensor:
    return F.conv2d(x, weight, padding=1) if x.dim() == 4 else x @ weight


def product(setup: Setup) -> Product:
    torch.manual_seed(setup.seed)
    side, channels = setup.pick(full=256, smoke=8, cuda=8192), setup.pick(full=16, smoke=4, cuda=256)
    if setup.value == "convolution":
        shapes = (64, channels, 28, 28), (channels, channels, 3, 3)
    else:
        shapes = (ROWS if setup.value == "few-rows" else 2 * ROWS + side, side), (side, side)
    x, weight = (normal(*shape, device=setup.device) for shape in shapes)
    weight = weight / (weight[0].numel() ** 0.5)
    return Product(x, weight, multiply(x[:ROWS].double(), weight.double()))


def at_precision(p: Product, precision: str) -> Step:
    torch.set_float32_matmul_precision(precision)

    def step() -> dict[str, Tensor]:
        return {"product": multiply(p.x, p.weight)[:ROWS], "true product": p.truth}

    return step


def highest(p: Product) -> Step:
    return at_precision(p, "highest")


def high(p: Product) -> Step:
    return at_precision(p, "high")


PAIR = Pair(
    claims=("tf32",),
    inputs=product,
    anti_pattern=highest,
    recommended=high,
    same=in_part("product", within(rtol=0.0, atol=1e-2)),
    metrics=(time, error(error_of("product"), "product error")),
    axis=Axis("work", full=("product",), outside=("few-rows", "convolution")),
    needs=Needs(cuda=True),
)
