"""The field guide's transform of photographs, with PIL per sample and with tensors by the batch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from PIL import Image
from torch import Tensor
from torchvision.io import ImageReadMode, decode_jpeg, read_file
from torchvision.transforms import v2

from bench import Setup
from suites.workloads.photographs import field_guide_transform, photographs

MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)

Decoded = Path | Image.Image | Tensor


@dataclass(frozen=True)
class Batch:
    """The photographs of a batch as PIL and torchvision take them: files for both, or images and uint8 tensors.

    ``expected`` is what the guide's transform makes of them.
    """

    for_pil: list[Decoded]
    for_torch: list[Decoded]
    expected: Tensor
    device: torch.device


def batch(setup: Setup) -> Batch:
    """Eight photographs of 400 x 400 pixels (64 for a GPU), in files or decoded already."""
    files = photographs(setup.pick(full=8, smoke=2, cuda=64))
    transform = field_guide_transform()
    expected = torch.stack([transform(decoded_by_pil(path)) for path in files])
    if setup.value == "jpeg-files":
        return Batch(list(files), list(files), expected, setup.device)
    return Batch([decoded_by_pil(p) for p in files], [decoded_by_torch(p) for p in files], expected, setup.device)


def decoded_by_pil(photograph: Decoded) -> Image.Image:
    """The photograph as an image, if it is not one yet."""
    if isinstance(photograph, Image.Image):
        return photograph
    with Image.open(str(photograph)) as image:
        return image.convert("RGB")


def decoded_by_torch(photograph: Decoded) -> Tensor:
    """The photograph as a uint8 tensor (3, height, width), if it is not one yet."""
    if isinstance(photograph, Tensor):
        return photograph
    return decode_jpeg(read_file(str(photograph)), ImageReadMode.RGB)


def resize_and_crop() -> Callable[[Tensor], Tensor]:
    """The guide's first two transforms on uint8 tensors, antialiased as PIL does."""
    return v2.Compose([v2.Resize(256, antialias=True), v2.CenterCrop(224)])


def normalise() -> Callable[[Tensor], Tensor]:
    """The guide's last two transforms, from uint8 to float32, of one image or of a whole batch."""
    return v2.Compose([v2.ToDtype(torch.float32, scale=True), v2.Normalize(mean=MEAN, std=DEVIATION)])


def levels_off(result: dict[str, Tensor]) -> float:
    """The mean difference from the expected pixels, in levels of 255."""
    scale = 255 * torch.tensor(DEVIATION)[:, None, None]
    return float(((result["images"].cpu() - result["expected"]) * scale).abs().mean())
