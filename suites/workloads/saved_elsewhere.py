"""Files as torch.save writes them on another machine, made without that machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import torch
from torch import Tensor, nn

from bench import Setup
from suites.workloads.layers import normal


def save_as_from(location: str, state: dict[str, Tensor], path: Path) -> None:
    """Save ``state`` as if its tensors lay on ``location``, such as ``cuda:0``: a file tells no more than that tag."""
    with mock.patch.object(torch.serialization, "location_tag", return_value=location):
        torch.save(state, path)


@dataclass(frozen=True)
class Arrived:
    """A linear layer's state_dict in a file, and a batch for it on this machine's device."""

    path: Path
    x: Tensor


def arrived(setup: Setup) -> Arrived:
    """A file that was saved from a GPU or from a CPU, as the point says."""
    torch.manual_seed(setup.seed)
    width = setup.pick(full=256, smoke=8)
    path = setup.folder / "model.pth"
    save_as_from("cuda:0" if setup.value == "gpu" else "cpu", nn.Linear(width, width).state_dict(), path)
    return Arrived(path, normal(4, width, device=setup.device))


def output(a: Arrived, state: dict[str, Tensor]) -> Tensor:
    """What a new layer makes of the batch with that state."""
    layer = nn.Linear(a.x.shape[1], a.x.shape[1])
    layer.load_state_dict(state)
    found: Tensor = layer(a.x)
    return found
