"""Models wrapped for several devices or for compilation, whose state_dict carries the wrapper's name in its keys."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, distributed, nn
from torch.nn.parallel import DistributedDataParallel

from bench import Setup
from suites.workloads.digits import PIXELS, perceptron
from suites.workloads.layers import normal


@dataclass(frozen=True)
class Wrapping:
    """A trained model's stand-in, what wraps it, the inside's attribute, and images to tell two models apart by."""

    model: nn.Sequential
    wrapper: str
    inside: str
    images: Tensor
    folder: Path


def wrapping(setup: Setup) -> Wrapping:
    """A perceptron with random weights; ``wrapper`` is the point."""
    torch.manual_seed(setup.seed)
    wrapper = setup.point(str)
    inside = "_orig_mod" if wrapper == "compiled" else "module"
    model = perceptron(setup.pick(full=64, smoke=8))
    return Wrapping(model, wrapper, inside, normal(32, PIXELS, device=setup.device), setup.folder)


@contextmanager
def wrapped(w: Wrapping) -> Iterator[nn.Module]:
    """The model as it trains; DistributedDataParallel in a process group of one."""
    if w.wrapper == "compiled":
        yield torch.compile(w.model)
    elif w.wrapper == "data-parallel":
        yield nn.DataParallel(w.model)
    else:
        store = distributed.FileStore(str(w.folder / "store"), 1)
        distributed.init_process_group("gloo", store=store, rank=0, world_size=1)
        try:
            yield DistributedDataParallel(w.model)
        finally:
            distributed.destroy_process_group()


def loaded(w: Wrapping, weights: dict[str, Tensor]) -> dict[str, object]:
    """What a bare model makes of the weights with strict=False: the share that arrived of its tensors, its output."""
    torch.manual_seed(1)
    bare = perceptron(w.model[0].out_features)
    missing, _ = bare.load_state_dict(weights, strict=False)
    with torch.no_grad():
        output, true = bare(w.images), w.model(w.images)
    return {"arrived": 1 - len(missing) / len(bare.state_dict()), "output": output, "true output": true}
