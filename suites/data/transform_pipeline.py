"""Resize, centre crop, to a tensor, normalise: the guide calls this pipeline efficient; here against today's own.

A step makes a batch on the device out of 8 photographs (64 for a GPU), so images per second are those over its time.
The anti-pattern is the guide's: PIL decodes and resizes, and each sample is normalised by itself. The recommended arm
decodes and resizes with torchvision on uint8 tensors, moves the batch as bytes and normalises it at once. The variant
is the guide's with that last part alone. What they differ in is measured in levels of a pixel.

Theory: what can be saved is the way from PIL to a tensor and, on a GPU, three bytes of four that are moved. Decoding
and resizing are the same work in both and the most of it. Where photographs are decoded already, resizing is most of
it. torchvision's decoders warn since 0.29 that TorchCodec's will replace them.
"""

import torch
from torch import Tensor
from torchvision import transforms

from bench import AsWritten, Axis, Metric, Needs, Pair, Setup, Step, time, within
from suites.workloads.compare import in_part
from suites.workloads.photographs import field_guide_transform, photographs
from suites.workloads.pipelines import (
    Batch,
    batch,
    decoded_by_pil,
    decoded_by_torch,
    levels_off,
    normalise,
    resize_and_crop,
)

# Twice a level of 255 in the units of the most stretched channel.
TWO_LEVELS = 2 / 255 / 0.224


def pil_by_the_sample(b: Batch) -> Step:
    transform = field_guide_transform()

    def step() -> dict[str, Tensor]:
        images = torch.stack([transform(decoded_by_pil(p)) for p in b.for_pil])
        return {"images": images.to(b.device), "expected": b.expected}

    return step


def tensors_by_the_batch(b: Batch) -> Step:
    resize, to_floats = resize_and_crop(), normalise()

    def step() -> dict[str, Tensor]:
        images = torch.stack([resize(decoded_by_torch(p)) for p in b.for_torch])
        return {"images": to_floats(images.to(b.device)), "expected": b.expected}

    return step


def pil_and_normalised_by_the_batch(b: Batch) -> Step:
    resize = transforms.Compose([transforms.Resize(256), transforms.CenterCrop(224), transforms.PILToTensor()])
    to_floats = normalise()

    def step() -> dict[str, Tensor]:
        images = torch.stack([resize(decoded_by_pil(p)) for p in b.for_pil])
        return {"images": to_floats(images.to(b.device)), "expected": b.expected}

    return step


def as_written(setup: Setup) -> Tensor:
    normalised = transforms.Normalize(mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225])
    transform = transforms.Compose(
        [transforms.Resize(256), transforms.CenterCrop(224), transforms.ToTensor(), normalised]
    )
    found: Tensor = transform(decoded_by_pil(photographs(1)[0]))
    return found


PAIR = Pair(
    claims=("transform-pipeline",),
    inputs=batch,
    anti_pattern=pil_by_the_sample,
    recommended=tensors_by_the_batch,
    variants={"pil_and_normalised_by_the_batch": pil_and_normalised_by_the_batch},
    same=in_part("images", within(rtol=0.0, atol=TWO_LEVELS)),
    metrics=(time, Metric("error", "pixel difference", "levels", comparison="difference", zone=1.0, read=levels_off)),
    axis=Axis("from", full=("jpeg-files",), outside=("decoded",)),
    needs=Needs(packages=("sklearn",)),
)
AS_WRITTEN = AsWritten(claim="transform-pipeline", where="F 2", usage=as_written, needs=Needs(packages=("sklearn",)))
