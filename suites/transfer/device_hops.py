"""Moving data between CPU and GPU inside the loop is said to leave the GPU idle; better one .to(device) per step.

A batch goes through eight layers. The anti-pattern fetches what each layer gives and sends it back for the next, the
recommended arm sends the batch once. The variant sends it once and fetches a mean after each layer, as for a log. The
payload is what one hop moves; the waits are those that torch reports.

Theory: a layer of width 1024 does 512 operations a byte, some 10 ps on a GPU of 50 TFLOP/s; the bus takes 20 to 100 ps
for a byte each way. So large payloads pay several times the layer for the bus, and small ones, for which GPU and bus
need next to nothing, for two waits a layer. On a CPU there is nowhere to hop to, so this is measured on a GPU alone.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, count, time, utilisation, within
from suites.workloads.compare import in_part
from suites.workloads.gpu_waits import waits
from suites.workloads.hops import Batch, batch, layers


def leave(x: Tensor) -> Tensor:
    return x


def fetch_the_mean(x: Tensor) -> Tensor:
    x.mean().cpu()
    return x


def counted(run: Callable[[], Tensor]) -> Step:
    waited = waits(run)
    return lambda: {"output": run(), "waits": waited}


def hop_for_every_layer(b: Batch) -> Step:
    return counted(lambda: layers(b, before=lambda x: x.to(b.device), after=Tensor.cpu))


def send_once(b: Batch) -> Step:
    return counted(lambda: layers(b, before=leave, after=leave))


def send_once_and_fetch_means(b: Batch) -> Step:
    return counted(lambda: layers(b, before=leave, after=fetch_the_mean))


def as_in_the_guide(setup: Setup) -> Tensor:
    return torch.ones(2, 3).to(setup.device)


PAIR = Pair(
    claims=("device-hops",),
    inputs=batch,
    anti_pattern=hop_for_every_layer,
    recommended=send_once,
    variants={"send_once_and_fetch_means": send_once_and_fetch_means},
    same=in_part("output", within(rtol=1e-3, atol=1e-5)),
    metrics=(time, utilisation, count(lambda r: r["waits"], "waits for the GPU")),
    axis=Axis("KiB", full=(4, 256, 16384, 262144), quick=(4, 16384), smoke=(4,)),
    needs=Needs(cuda=True),
)
AS_WRITTEN = AsWritten(claim="device-hops", where="G 2.3", usage=as_in_the_guide)
