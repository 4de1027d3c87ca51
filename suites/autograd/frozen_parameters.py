"""Frozen parameters are said to belong out of the optimizer too, or Adam keeps its two moments for them.

An encoder is frozen and a head goes on training. The anti-pattern leaves the encoder with the optimizer, the
recommended arm takes it out, at the start or after two updates of the whole; a step is one update.

Theory: Adam makes its moments, 8 bytes a parameter, when it first meets a gradient. What was frozen from the start
never has one, so there is nothing to save. What was frozen later keeps its moments until it is taken out, and costs no
time while its gradient is None.
"""

import torch
from torch import nn

from bench import AsWritten, Axis, Metric, Pair, Setup, Step, peak_memory, time, within
from suites.workloads.compare import in_part
from suites.workloads.freezing import FineTuning, Tuner, encoder_and_head, frozen


def tune(tuner: Tuner) -> Step:
    state = tuner.state_bytes
    return lambda: {"loss": tuner.update(), "state": state}


def optimize_all(f: FineTuning) -> Step:
    return tune(frozen(f, left_out=False))


def optimize_the_head(f: FineTuning) -> Step:
    return tune(frozen(f, left_out=True))


def as_in_the_guide(setup: Setup) -> None:
    encoder, head = nn.Linear(2, 2).to(setup.device), nn.Linear(2, 1).to(setup.device)
    for parameter in encoder.parameters():
        parameter.requires_grad = False
    optimizer = torch.optim.Adam(head.parameters())
    head(encoder(torch.ones(1, 2, device=setup.device))).sum().backward()
    optimizer.step()


PAIR = Pair(
    claims=("frozen-parameters",),
    inputs=encoder_and_head,
    anti_pattern=optimize_all,
    recommended=optimize_the_head,
    same=in_part("loss", within(rtol=1e-5)),
    metrics=(peak_memory, Metric("count", "optimizer state", "B", read=lambda r: r["state"]), time),
    axis=Axis("frozen", full=("from-the-start", "mid-training")),
)
AS_WRITTEN = AsWritten(claim="frozen-parameters", where="G 3.2", usage=as_in_the_guide)
