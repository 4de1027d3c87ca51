"""A trained model as it is deployed: its weights in a file, and the test digits run through it in batches."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from bench import Setup, Step
from suites.workloads.digits import load_digits, trained

BATCH = 64


@dataclass(frozen=True)
class Deployment:
    """A trained model, the test images and labels, where the file goes, and the percentage to be pruned, if any."""

    model: nn.Module
    images: Tensor
    labels: Tensor
    path: Path
    percent: int = 0


def deployment(setup: Setup, name: str, width: int, build: Callable[[int], nn.Module], percent: int = 0) -> Deployment:
    """The model that ``build`` makes at ``width``, trained on digits, with the images that it was not trained on."""
    digits = load_digits(setup.seed)
    model = trained(f"{name}-{width}", lambda: build(width), digits, setup.pick(full=400, smoke=5), setup.seed)
    images, labels = digits.test_x.to(setup.device), digits.test_y.to(setup.device)
    return Deployment(model.to(setup.device), images, labels, setup.folder / "model.pth", percent)


def predict(d: Deployment, model: nn.Module, deflate: bool = False) -> Step:
    """Write the model's weights to the file, deflated or not; a step runs every test image through it."""
    torch.save(model.state_dict(), d.path)
    if deflate:
        d.path.write_bytes(zlib.compress(d.path.read_bytes()))

    def step() -> dict[str, object]:
        with torch.inference_mode():
            logits = torch.cat([model(images) for images in d.images.split(BATCH)])
        return {"logits": logits, "labels": d.labels, "zeros": zeros}

    zeros = share_of_zeros(model)
    return step


def share_of_zeros(model: nn.Module) -> float:
    """How many of the convolutions' weights are 0 in use, masked or for good."""
    weights = [m.weight.detach().reshape(-1) for m in model.modules() if isinstance(m, nn.Conv2d)]
    return float((torch.cat(weights) == 0).float().mean()) if weights else 0.0
