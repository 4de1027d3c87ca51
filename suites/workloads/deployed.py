"""A model as it is deployed: its weights in a file, and a step that answers some questions, batch by batch."""

from __future__ import annotations

import copy
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import torch
from torch import Tensor, nn
from torchvision.models.resnet import BasicBlock, Bottleneck, ResNet

from bench import Setup, Step, throughput
from suites.workloads import minilm
from suites.workloads.digits import convolutions, load_digits, perceptron, trained
from suites.workloads.sentences import nearest, random_sentences, sentences, without_padding

Run = Callable[[Tensor], Tensor]

SERVED = throughput(lambda result: len(result["output"]), "items per second")


@dataclass(frozen=True)
class Deployment:
    """A model and the batches of one step: rows of pixels, images, or token ids, the items in the first dimension.

    ``answers`` reads all outputs as items x answers: a digit's class, or a line's nearest lines. ``right`` holds the
    answers that are counted as right, ``varying`` the dimensions of a batch that may have any size. ``name`` tells
    models with other weights apart, and ``percent`` is how much is to be pruned, if anything.
    """

    name: str
    model: nn.Module
    batches: list[Tensor]
    right: Tensor
    folder: Path
    answers: Callable[[Tensor], Tensor]
    varying: Mapping[int, str] = field(default_factory=lambda: {0: "batch"})
    percent: int = 0


def deployment(setup: Setup) -> Deployment:
    """The model and the number of items in a batch that the point names, such as ``minilm-8``."""
    model, _, batch = setup.point(str).rpartition("-")
    if model == "digits-cnn":
        return classifier(setup, convolutions, setup.pick(full=32, smoke=4), int(batch))
    return {"minilm": encoder, "resnet50": resnet50}[model](setup, int(batch))


def classifier(setup: Setup, build: Callable[[int], nn.Module], width: int, batch: int, percent: int = 0) -> Deployment:
    """What ``build`` makes at ``width``, trained on digits, and the 449 images that it was not trained on."""
    digits, steps = load_digits(setup.seed), setup.pick(full=400, smoke=5)
    name = f"{build.__name__}-{width}"
    model = trained(name, lambda: build(width), digits, steps, setup.seed).to(setup.device)
    images, labels = digits.test_x.to(setup.device), digits.test_y.to(setup.device)
    return Deployment(
        name=f"{name}-{steps}-steps-seed-{setup.seed}",
        model=model,
        batches=list(images.split(batch)),
        right=labels[:, None],
        folder=setup.folder,
        answers=likeliest,
        percent=percent,
    )


def perceptron_on_digits(setup: Setup) -> Deployment:
    """A perceptron, almost all of it in Linear layers; the point is its width and the batch, such as ``256x64``."""
    width, batch = setup.point(str).split("x")
    return classifier(setup, perceptron, int(width), int(batch))


def encoder(setup: Setup, batch: int, percent: int = 0) -> Deployment:
    """MiniLM and some lines of real text, drawn by the seed; right are the lines that float32 finds nearest to each."""
    model = minilm.tiny() if setup.smoke else minilm.load()
    text = random_sentences(model) if setup.smoke else sentences(model)
    lines = max(batch, setup.pick(full=8, smoke=4, cuda=256))
    rows = torch.randperm(len(text.ids), generator=torch.Generator().manual_seed(setup.seed))[:lines]
    answers = partial(nearest, text.embeddings.to(setup.device), rows.to(setup.device))
    return Deployment(
        name="minilm-tiny" if setup.smoke else "minilm",
        model=model.to(setup.device),
        batches=[without_padding(part).to(setup.device) for part in text.ids[rows].split(batch)],
        right=answers(text.embeddings[rows].to(setup.device)),
        folder=setup.folder,
        answers=answers,
        varying={0: "batch", 1: "length"},
        percent=percent,
    )


def resnet50(setup: Setup, batch: int) -> Deployment:
    """ResNet-50 with random weights and noise for images, for time and size only: what it answers means nothing."""
    torch.manual_seed(setup.seed)
    with setup.device:
        model = ResNet(BasicBlock, [1, 1, 1, 1]) if setup.smoke else ResNet(Bottleneck, [3, 4, 6, 3])
    side = setup.pick(full=64, smoke=32, cuda=224)
    images = torch.randn(batch if not setup.smoke else 2, 3, side, side).to(setup.device)
    return Deployment(
        name=f"resnet-{'tiny' if setup.smoke else '50'}-seed-{setup.seed}",
        model=model.eval(),
        batches=[images],
        right=torch.zeros(len(images), 1, device=setup.device),
        folder=setup.folder,
        answers=likeliest,
    )


def likeliest(logits: Tensor) -> Tensor:
    """The class of every row of logits, as rows of one answer."""
    return logits.argmax(1, keepdim=True)


def deploy(d: Deployment, model: nn.Module, run: Run | None = None, deflate: bool = False, **facts: float) -> Step:
    """Write the model's weights to a file, deflated or not, and serve it; ``run`` calls it otherwise than directly."""
    path = d.folder / "model.pth"
    torch.save(model.state_dict(), path)
    if deflate:
        path.write_bytes(zlib.compress(path.read_bytes()))
    return serve(d, run or model, **facts)


def deploy_in(d: Deployment, dtype: torch.dtype) -> Step:
    """The same with weights and inputs of another floating-point type."""
    model = copy.deepcopy(d.model).to(dtype)

    def run(batch: Tensor) -> Tensor:
        found: Tensor = model(batch.to(dtype) if batch.is_floating_point() else batch)
        return found

    return deploy(d, model, run)


def serve(d: Deployment, run: Run, **facts: float) -> Step:
    """A step runs every batch and reads the answers off; ``facts`` about the model are added to what it returns."""

    def step() -> dict[str, object]:
        with torch.inference_mode():
            output = torch.cat([run(batch).float() for batch in d.batches])
            return {"output": output, "answers": d.answers(output), "right": d.right, **facts}

    return step


def answers_in(result: dict[str, Tensor]) -> int:
    """How many answers there are to give."""
    return result["right"].numel()


def share_right(result: dict[str, Tensor]) -> float:
    """The share of the right answers that were given, in any order."""
    given = result["answers"][:, :, None] == result["right"][:, None, :]
    return float(given.any(1).float().mean())
