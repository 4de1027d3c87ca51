"""A model class in a module that can be taken away, as when a project's files move after a model was saved."""

from __future__ import annotations

import sys
import types

from torch import Tensor, nn

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
