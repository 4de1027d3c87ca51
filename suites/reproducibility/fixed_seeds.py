"""Fixing the seeds of Python, NumPy, torch and CUDA is said to make a training run repeat itself.

A run draws its initial weights, its order and its dropout from torch, its noise from NumPy and its flips from Python;
what counts is how many later runs end in the first one's weights, bit for bit. The anti-pattern seeds nothing, the
recommended arm what the memory guide's set_seed does. Variants: the field guide's three lines, which do not name CUDA;
torch alone; all but torch.

Theory: torch.manual_seed seeds every device (PyTorch's notes on reproducibility), so nothing is missed without CUDA's
own line. Without workers each generator needs its seed; a worker is seeded for Python, NumPy and torch from torch's
generator, so there torch's seed is enough. No global seed reaches a generator of one's own, or the order of a set,
which hangs on PYTHONHASHSEED.
"""

import random

import numpy as np
import torch
from torch import Tensor

from bench import AsWritten, Axis, Pair, Setup, Step, may_differ, share
from suites.workloads.seeded import Run, share_repeated, small_run, weights_of_runs

SEED = 42


def seed_like_the_field_guide() -> None:
    torch.manual_seed(SEED)
    np.random.seed(SEED)
    random.seed(SEED)


def seed_everything() -> None:
    seed_like_the_field_guide()
    torch.cuda.manual_seed_all(SEED)


def seed_all_but_torch() -> None:
    np.random.seed(SEED)
    random.seed(SEED)


def no_seed(r: Run) -> Step:
    return lambda: weights_of_runs(r, lambda: None)


def set_seed(r: Run) -> Step:
    return lambda: weights_of_runs(r, seed_everything)


def as_the_field_guide(r: Run) -> Step:
    return lambda: weights_of_runs(r, seed_like_the_field_guide)


def torch_alone(r: Run) -> Step:
    return lambda: weights_of_runs(r, lambda: torch.manual_seed(SEED))


def all_but_torch(r: Run) -> Step:
    return lambda: weights_of_runs(r, seed_all_but_torch)


def written_in_the_memory_guide(setup: Setup) -> Tensor:
    seed_everything()
    return torch.randn(1, device=setup.device)


def written_in_the_field_guide(setup: Setup) -> Tensor:
    seed_like_the_field_guide()
    return torch.randn(1, device=setup.device)


PAIR = Pair(
    claims=("fixed-seeds",),
    inputs=small_run,
    anti_pattern=no_seed,
    recommended=set_seed,
    variants={"as_the_field_guide": as_the_field_guide, "torch_alone": torch_alone, "all_but_torch": all_but_torch},
    same=may_differ("the weights", because="how many runs agree is what is measured"),
    metrics=(share(share_repeated, "runs that repeat the first", better="higher"),),
    axis=Axis("case", full=("workers-0", "workers-2"), outside=("own-generator", "order-of-a-set")),
    seeds=2,
)
AS_WRITTEN_G = AsWritten(claim="fixed-seeds", where="G 8", usage=written_in_the_memory_guide)
AS_WRITTEN_F = AsWritten(claim="fixed-seeds", where="F 6", usage=written_in_the_field_guide)
