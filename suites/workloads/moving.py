"""A model class in a module that can be taken away, as when a project's files move after a model was saved."""

from __future__ import annotations

import sys
import types
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from bench import Setup
from suites.workloads.layers import normal

OLD_HOME = "torchproof_project.models"
NEW_HOME = "torchproof_project.networks"


def publish(home: str, depart: str | None = None) -> type[nn.Module]:
    """Define the class anew in the importable module ``home``; the module ``depart`` is gone afterwards."""

    class Net(nn.Module):
        def __init__(self, width: int) -> None:
            super().__init__()
            self.layers = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))

        def forward(self, x: Tensor) -> Tensor:
            found: Tensor = self.layers(x)
            return found

    Net.__module__, Net.__qualname__ = home, "Net"
    package, _, _ = home.partition(".")
    sys.modules[package] = types.ModuleType(package)
    sys.modules[package].__path__ = []
    sys.modules[home] = types.ModuleType(home)
    sys.modules[home].Net = Net  # type: ignore[attr-defined]
    if depart is not None:
        del sys.modules[depart]
    return Net


@dataclass(frozen=True)
class Saving:
    """A model, its width, a batch, the file, whether the class moves, and what torch.load may unpickle."""

    model: nn.Module
    x: Tensor
    path: Path
    moves: bool
    weights_only: bool | None


def saving(setup: Setup) -> Saving:
    """A new model in its old home, to be saved in the arm's folder."""
    torch.manual_seed(setup.seed)
    width = setup.pick(full=256, smoke=8)
    model = publish(OLD_HOME)(width).to(setup.device)
    weights_only = None if setup.value == "todays-default" else False
    x = normal(4, width, device=setup.device)
    return Saving(model, x, setup.folder / "model.pth", setup.value == "moved", weights_only)


def class_today(s: Saving) -> type[nn.Module]:
    """The model's class from where it is after saving."""
    return publish(NEW_HOME, depart=OLD_HOME) if s.moves else type(s.model)
