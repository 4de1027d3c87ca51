"""CUDA-only code without a GPU: it runs on fake tensors, and a tensor on the wrong device is found."""

import pytest
import torch
from torch import Tensor

from bench import Needs, Pair, Setup, Step, exactly, time
from bench.fake import run_fake
from tests.fakes import needs_fake_cuda

pytestmark = needs_fake_cuda


def inputs(setup: Setup) -> Tensor:
    return torch.randn(4, 4, device=setup.device)


def on_the_device(x: Tensor) -> Step:
    assert x.is_cuda
    return lambda: (x @ x).to("cuda", non_blocking=True)


def on_two_devices(x: Tensor) -> Step:
    return lambda: x @ torch.randn(4, 4)


def pair(recommended: object) -> Pair[Tensor]:
    return Pair(
        claims=("c",),
        inputs=inputs,
        anti_pattern=on_the_device,
        recommended=recommended,  # type: ignore[arg-type]
        same=exactly,
        metrics=(time,),
        needs=Needs(cuda=True),
    )


def test_cuda_code_runs_without_a_gpu() -> None:
    run_fake(pair(on_the_device), None)
    assert not torch.cuda.is_available()


def test_a_mix_of_devices_raises() -> None:
    with pytest.raises(RuntimeError, match="device"):
        run_fake(pair(on_two_devices), None)


def test_pinning_hands_the_tensor_back() -> None:
    run_fake(pair(lambda x: lambda: torch.randn(3, 3).pin_memory().to("cuda", non_blocking=True)), None)


def test_a_training_step_leaves_gradients_and_steps_the_optimizer() -> None:
    def train(x: Tensor) -> Step:
        layers = torch.nn.Conv2d(1, 2, 3, device="cuda"), torch.nn.Flatten(), torch.nn.Linear(8, 1, device="cuda")
        model = torch.nn.Sequential(*layers)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

        def step() -> None:
            optimizer.zero_grad()
            model(x[None, None]).mean().backward()
            assert all(p.grad is not None and p.grad.is_cuda for p in model.parameters())
            optimizer.step()

        return step

    run_fake(pair(train), None)
