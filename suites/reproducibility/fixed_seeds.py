"""Fixing the seeds of Python, NumPy, torch and CUDA is said to make a training run repeat itself.

A run draws its initial weights, its order and its dropout from torch, its noise from NumPy and its flips from Python;
what counts is how many later runs end in the first one's weights, bit for bit. The anti-pattern seeds nothing, the
recommended arm what the memory guide's set_seed does. Variants: the field guide's three lines, which do not name CUDA;
torch alone; all but torch. The second pair, on a GPU, adds deterministic algorithms to the seeds and says what they
cost.

Theory: torch.manual_seed seeds every device, so nothing is missed without CUDA's own line. Without workers each
generator needs its seed; a worker is seeded for Python, NumPy and torch from torch's generator, so there torch's seed
is enough. No global seed reaches a generator of one's own, or the order of a set, which hangs on PYTHONHASHSEED. And
seeds fix which numbers are drawn, not in which order a CUDA kernel adds them: PyTorch's notes on reproducibility ask
for deterministic algorithms, and for CUBLAS_WORKSPACE_CONFIG.
"""

import random

import numpy as np
import torch
from torch import Tensor

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, may_differ, share, time
from suites.workloads import scattering
from suites.workloads.layers import CLASSES
from suites.workloads.seeded import Run, share_repeated, weights_of_runs

SEED = 42


def run(setup: Setup) -> Run:
    torch.manual_seed(setup.seed)
    case, rows = setup.point(str), setup.pick(full=128, smoke=32)
    x, labels = torch.randn(rows, 16), torch.randint(CLASSES, (rows,))
    return Run(x, labels, setup.device, workers=2 if case == "workers-2" else 0, case=case)


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


def seeds_alone(w: scattering.Work) -> Step:
    return lambda: scattering.weights_of_runs(w, deterministic=False)


def seeds_and_deterministic_algorithms(w: scattering.Work) -> Step:
    return lambda: scattering.weights_of_runs(w, deterministic=True)


def written_in_the_memory_guide(setup: Setup) -> Tensor:
    seed_everything()
    return torch.randn(1, device=setup.device)


def written_in_the_field_guide(setup: Setup) -> Tensor:
    seed_like_the_field_guide()
    return torch.randn(1, device=setup.device)


REPEATED = share(share_repeated, "runs that repeat the first", better="higher")
PAIR = Pair(
    claims=("fixed-seeds",),
    inputs=run,
    anti_pattern=no_seed,
    recommended=set_seed,
    variants={"as_the_field_guide": as_the_field_guide, "torch_alone": torch_alone, "all_but_torch": all_but_torch},
    same=may_differ("the weights", because="how many runs agree is what is measured"),
    metrics=(REPEATED,),
    axis=Axis("case", full=("workers-0", "workers-2"), outside=("own-generator", "order-of-a-set")),
    seeds=2,
)
ON_CUDA = Pair(
    claims=("fixed-seeds",),
    inputs=scattering.work,
    anti_pattern=seeds_alone,
    recommended=seeds_and_deterministic_algorithms,
    same=may_differ("the last bits of the weights", because="the order of additions is what is measured"),
    metrics=(REPEATED, time),
    axis=Axis("kernel", outside=("index-add", "convolution", "linear")),
    needs=Needs(cuda=True),
    environment={"recommended": {"CUBLAS_WORKSPACE_CONFIG": ":4096:8"}},
    name="fixed-seeds-deterministic",
    seeds=2,
)
AS_WRITTEN_G = AsWritten(claim="fixed-seeds", where="G 8", usage=written_in_the_memory_guide)
AS_WRITTEN_F = AsWritten(claim="fixed-seeds", where="F 6", usage=written_in_the_field_guide)
