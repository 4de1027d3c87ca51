"""Choosing the device in one place, instead of writing cuda everywhere, is said to let code run without a GPU.

The anti-pattern names CUDA at the place that the point says, the recommended arm asks one helper; both run where no GPU
is visible. What counts is whether a forward pass comes about.

Theory: moving a module, making a tensor and loading a checkpoint all need the device they name, and raise. autocast
does not: for a CUDA that is missing it warns, switches itself off and goes on in float32, so hard-coding breaks nothing
there. The helper falls back to the CPU silently, which is what the claim cuda-available-check warns of.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from bench import AsWritten, Axis, Needs, Pair, Step, exactly, outcome
from suites.workloads.forwards import Forward, forward
from suites.workloads.hidden_gpu import NO_GPU


def choose_device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def run(f: Forward, choose: Callable[[], torch.device]) -> Tensor:
    if f.place == "module":
        return f.model.to(choose())(f.x.to(choose()))
    if f.place == "new-tensor":
        return f.model(f.x + torch.zeros(f.x.shape, device=choose()))
    if f.place == "checkpoint":
        weights = torch.load(f.weights, map_location=choose(), weights_only=True)
        return torch.func.functional_call(f.model, weights, (f.x,))
    with torch.autocast(choose().type, enabled=choose().type == "cuda"):
        return f.model(f.x)


def cuda_written_out(f: Forward) -> Step:
    return lambda: run(f, lambda: torch.device("cuda"))


def one_helper(f: Forward) -> Step:
    return lambda: run(f, choose_device)


PAIR = Pair(
    claims=("device-helper",),
    inputs=forward,
    anti_pattern=cuda_written_out,
    recommended=one_helper,
    same=exactly,
    metrics=(outcome,),
    axis=Axis("place", full=("module", "new-tensor", "checkpoint"), outside=("autocast",)),
    needs=Needs(cpu=True),
    environment={"anti_pattern": NO_GPU, "recommended": NO_GPU},
    seeds=2,
)
AS_WRITTEN = AsWritten(
    claim="device-helper",
    where="G 8",
    usage=lambda setup: choose_device(),
    modern="torch.accelerator.current_accelerator(check_available=True), which knows more than CUDA; None is the CPU",
)
