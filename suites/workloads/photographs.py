"""Real JPEG files: crops of the two photographs that scikit-learn brings, written to the cache at first use."""

from __future__ import annotations

import io
from functools import cache, partial
from pathlib import Path

import numpy as np
from PIL import Image
from torch import Tensor
from torch.utils.data import Dataset
from torchvision import transforms

from suites.workloads.cache import cached

QUALITY = 90


def photographs(number: int, side: int = 400) -> list[Path]:
    """``number`` JPEG files of ``side`` x ``side`` pixels, the same on every machine but for the encoder."""
    return [cached(f"photographs-{side}/{i:04}.jpg", partial(_crop, i, side)) for i in range(number)]


def _crop(index: int, side: int) -> bytes:
    image = _originals()[index % 2]
    height, width, _ = image.shape
    random = np.random.default_rng(index)
    top, left = random.integers(height - side + 1), random.integers(width - side + 1)
    buffer = io.BytesIO()
    Image.fromarray(image[top : top + side, left : left + side]).save(buffer, "JPEG", quality=QUALITY)
    return buffer.getvalue()


@cache
def _originals() -> list[np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]]:
    from sklearn import datasets  # an extra: the pairs that come here say Needs(packages=("sklearn",))

    return list(datasets.load_sample_images().images)


def field_guide_transform() -> transforms.Compose:
    """What the field guide (section 2) does to every photograph: resize, centre crop, to a tensor, normalise."""
    mean, deviation = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
    normalise = transforms.Normalize(mean=mean, std=deviation)
    return transforms.Compose([transforms.Resize(256), transforms.CenterCrop(224), transforms.ToTensor(), normalise])


class JpegFiles(Dataset[Tensor]):
    """Decodes and transforms a file per sample, as training on photographs does."""

    def __init__(self, paths: list[Path]) -> None:
        self._paths = paths
        self._transform = field_guide_transform()

    def __len__(self) -> int:
        return len(self._paths)

    def __getitem__(self, index: int) -> Tensor:
        with Image.open(self._paths[index]) as image:
            found: Tensor = self._transform(image.convert("RGB"))
        return found


class InMemory(Dataset[Tensor]):
    """Samples that are tensors already: a loader has nothing to do but to collect them."""

    def __init__(self, samples: Tensor) -> None:
        self._samples = samples

    def __len__(self) -> int:
        return len(self._samples)

    def __getitem__(self, index: int) -> Tensor:
        return self._samples[index]
