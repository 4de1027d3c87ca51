"""A training loop in which every practice is a switch, and what a workload has to bring to be trained by it.

A workload says what is trained, ``Options`` says how. A further workload is one more file here, with a function that
takes the set-up and returns a ``Workload``; a pair is two options on one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

from bench import Step
from suites.workloads.log import Log
from suites.workloads.mixed_precision import autocast, scaler

Batch = tuple[Tensor, Tensor]
# For arms that share all cores: threads that wait then sleep, and take no core from loading workers and other arms.
SLEEPING_THREADS = {"OMP_WAIT_POLICY": "PASSIVE"}


@dataclass(frozen=True)
class Options:
    """How to train. The defaults follow no practice; each field is one practice and changes nothing else.

    ``workers`` load in processes of their own, ``pinned`` has batches in pinned memory and copied without waiting,
    ``padded_to_batch`` pads to the batch's longest sample. ``precision`` is autocast's, with a scaler if it is float16,
    and ``compiled`` names a backend of torch.compile. ``history`` says how a pass's losses are kept, ``log_every`` at
    which batches one is logged. Only an evaluation asks for ``no_grad``.
    """

    workers: bool = False
    pinned: bool = False
    padded_to_batch: bool = False
    none_gradients: bool = False
    micro_batches: int = 1
    precision: torch.dtype | None = None
    cudnn_benchmark: bool = False
    channels_last: bool = False
    fused: bool = False
    compiled: str | None = None
    history: Literal["graph", "detached", "number"] = "graph"
    log_every: int = 1
    no_grad: bool = False


@dataclass(frozen=True)
class Workload:
    """What is trained: how the model is made anew, the samples, the batches made of them, and the optimizer.

    ``load`` takes the samples and the options and returns batches of inputs and classes, one pass at each iteration.
    ``optimizer`` takes the parameters and ``fused``.
    """

    device: torch.device
    seed: int
    model: Callable[[], nn.Module]
    samples: Any
    load: Callable[[Any, Options], Iterable[Batch]]
    optimizer: Callable[..., torch.optim.Optimizer]


def training(w: Workload, options: Options) -> Step:
    """A step trains on every batch once, loading included, and returns their losses before each update."""
    model = _model(w, options)
    forward = torch.compile(model, backend=options.compiled) if options.compiled else model
    # None and not False, which would switch the default, foreach, off as well.
    optimizer = w.optimizer(model.parameters(), fused=options.fused or None)
    scaling = scaler(w.device, options.precision)
    batches, log = w.load(w.samples, options), Log(options.log_every)

    def update(x: Tensor, y: Tensor) -> Tensor:
        optimizer.zero_grad(set_to_none=options.none_gradients)
        losses = []
        for part_x, part_y in zip(x.chunk(options.micro_batches), y.chunk(options.micro_batches), strict=True):
            with autocast(w.device, options.precision):
                loss = F.cross_entropy(forward(part_x), part_y) / options.micro_batches
            scaling.scale(loss).backward()
            losses.append(_kept(loss, options))
        scaling.step(optimizer)
        scaling.update()
        return torch.stack(losses).sum()

    def step() -> Tensor:
        losses = [log.note(update(*_on_device(batch, w, options))) for batch in batches]
        return torch.stack(losses).detach()

    return step


def evaluation(w: Workload, options: Options) -> Step:
    """A step runs every batch through the model in eval() and returns their losses."""
    model = _model(w, options).eval()
    batches = w.load(w.samples, options)

    def loss(x: Tensor, y: Tensor) -> Tensor:
        with autocast(w.device, options.precision):
            return _kept(F.cross_entropy(model(x), y), options)

    def step() -> Tensor:
        with torch.set_grad_enabled(not options.no_grad):
            losses = [loss(*_on_device(batch, w, options)) for batch in batches]
        return torch.stack(losses).detach()

    return step


def loader(samples: Dataset[Any], batch: int, workers: int, options: Options) -> DataLoader[Any]:
    """The samples in their own order, in batches, from ``workers`` processes if the options ask for them."""
    number, pin = workers if options.workers else 0, options.pinned and torch.accelerator.is_available()
    return DataLoader(samples, batch, num_workers=number, persistent_workers=number > 0, pin_memory=pin)


def simulated(device: torch.device) -> bool:
    """Whether tensors on the device are fake ones without numbers (bench/fake.py), which no loader can make."""
    return device.type == "cuda" and not torch.cuda.is_available()


def _model(w: Workload, options: Options) -> nn.Module:
    torch.backends.cudnn.benchmark = options.cudnn_benchmark
    torch.manual_seed(w.seed)
    with w.device:
        model = w.model()
    # Module.to() cannot convert fake weights.
    if options.channels_last and not simulated(w.device):
        return model.to(memory_format=torch.channels_last)
    return model


def _on_device(batch: Batch, w: Workload, options: Options) -> Batch:
    x, y = (t.to(w.device, non_blocking=options.pinned) for t in batch)
    return (x.contiguous(memory_format=_layout(options)) if x.dim() == 4 else x), y


def _layout(options: Options) -> torch.memory_format:
    return torch.channels_last if options.channels_last else torch.contiguous_format


def _kept(loss: Tensor, options: Options) -> Tensor:
    if options.history == "number":
        return torch.tensor(loss.item())
    return loss.detach() if options.history == "detached" else loss
