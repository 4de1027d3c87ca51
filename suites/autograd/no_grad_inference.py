"""Inference under no_grad() is said to save the memory, and the time, that recording a graph would take.

Both arms put the model into eval() and run one batch; the anti-pattern lets autograd record, the recommended arm does
not, and the variant uses inference_mode().

Theory: what is saved are the activations kept for a backward that never comes, so it grows with the batch. At a batch
of one the weights outweigh them, and only the bookkeeping of each operation is left to be saved.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from bench import AsWritten, Axis, Pair, Setup, Step, exactly, peak_memory, time
from suites.workloads.layers import normal


@dataclass(frozen=True)
class Inference:
    """A model in eval() and a batch."""

    model: nn.Module
    x: Tensor


def inference(setup: Setup) -> Inference:
    torch.manual_seed(setup.seed)
    width = setup.pick(full=256, smoke=8, cuda=1024)
    blocks = [nn.Sequential(nn.Linear(width, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Dropout()) for _ in range(6)]
    model = nn.Sequential(*blocks, nn.Linear(width, 10)).to(setup.device).eval()
    return Inference(model, normal(setup.point(int), width, device=setup.device))


def record_a_graph(i: Inference) -> Step:
    return lambda: i.model(i.x)


def no_grad(i: Inference) -> Step:
    return torch.no_grad()(lambda: i.model(i.x))


def inference_mode(i: Inference) -> Step:
    return torch.inference_mode()(lambda: i.model(i.x))


def as_in_the_guide(setup: Setup) -> None:
    model = nn.Linear(2, 2).to(setup.device)
    model.eval()
    with torch.no_grad():
        model(torch.ones(1, 2, device=setup.device))


PAIR = Pair(
    claims=("no-grad-inference",),
    inputs=inference,
    anti_pattern=record_a_graph,
    recommended=no_grad,
    variants={"inference_mode": inference_mode},
    same=exactly,
    metrics=(peak_memory, time),
    axis=Axis("batch", full=(1, 32, 256, 1024), quick=(1, 256), smoke=(2,)),
)
AS_WRITTEN = AsWritten(claim="no-grad-inference", where="G 3.2", usage=as_in_the_guide)
