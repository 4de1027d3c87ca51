"""A small training run that draws from Python's, NumPy's and torch's generators, as a run with augmentation does."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

from bench import Setup
from suites.workloads.compare import flat
from suites.workloads.layers import CLASSES

RUNS = 3
BATCH = 16
HIDDEN = 32


@dataclass(frozen=True)
class Run:
    """Samples and their labels, the device to train on, the loader's workers, and what else the run draws from."""

    x: Tensor
    labels: Tensor
    device: torch.device
    workers: int
    case: str


def small_run(setup: Setup) -> Run:
    """Random samples; at the point ``workers-2`` two workers load them, at others the process itself."""
    torch.manual_seed(setup.seed)
    case, rows = setup.point(str), setup.pick(full=128, smoke=32)
    x, labels = torch.randn(rows, 16), torch.randint(CLASSES, (rows,))
    return Run(x, labels, setup.device, workers=2 if case == "workers-2" else 0, case=case)


class Augmented(Dataset[tuple[Tensor, Tensor]]):
    """Turns half of the samples round by Python's generator, and adds noise from NumPy's to each."""

    def __init__(self, x: Tensor, labels: Tensor, noise: Callable[..., np.ndarray]) -> None:
        self._x, self._labels, self._noise = x, labels, noise

    def __len__(self) -> int:
        return len(self._x)

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        x = self._x[index].flip(0) if random.random() < 0.5 else self._x[index]
        return x + torch.from_numpy(self._noise(size=len(x))).float(), self._labels[index]


def weights_of_runs(run: Run, seed: Callable[[], object]) -> list[Tensor]:
    """The weights after each of a few runs, every one begun as a new process begins and then seeded by ``seed``."""
    found = []
    for _ in range(RUNS):
        forget_seeds()
        seed()
        found.append(train(run))
    return found


def forget_seeds() -> None:
    """Start every generator from the operating system's entropy, which is what a new process does."""
    random.seed()
    np.random.seed()
    torch.seed()


def train(run: Run) -> Tensor:
    """One epoch with a random start, random order, random augmentation and dropout; the weights at its end."""
    labels = run.labels
    if run.case == "order-of-a-set":
        labels = torch.tensor(order_of_a_set())[labels]
    # Such a generator belongs to the data set, and no global seed reaches it.
    noise = np.random.default_rng().normal if run.case == "own-generator" else np.random.normal
    head = nn.Linear(HIDDEN, CLASSES)
    model = nn.Sequential(nn.Linear(run.x.shape[1], HIDDEN), nn.ReLU(), nn.Dropout(0.2), head).to(run.device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    data = Augmented(run.x, labels, noise)
    for x, y in DataLoader(data, batch_size=BATCH, shuffle=True, num_workers=run.workers):
        optimizer.zero_grad()
        F.cross_entropy(model(x.to(run.device)), y.to(run.device)).backward()
        optimizer.step()
    return flat(model.parameters())


def order_of_a_set() -> list[int]:
    """The order in which a new interpreter walks a set of class names; -I keeps PYTHONHASHSEED out, as is usual."""
    code = f"print(*[name[5:] for name in {{f'class{{i}}' for i in range({CLASSES})}}])"
    told = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    return [int(word) for word in told.stdout.split()]


def share_repeated(runs: list[Tensor]) -> float:
    """How many of the later runs end in the first one's weights, bit for bit."""
    first, *others = runs
    return sum(run.equal(first) for run in others) / len(others)
