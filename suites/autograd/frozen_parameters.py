"""Frozen parameters are said to belong out of the optimizer too, or Adam keeps its two moments for them.

An encoder is frozen and a head goes on training. The anti-pattern leaves the encoder with the optimizer, the
recommended arm takes it out, at the start or after two updates of the whole; a step is one update. The second pair
clears gradients to zero instead of to None, and measures how far one update moves the frozen weights.

Theory: Adam makes its moments, 8 bytes a parameter, when it first meets a gradient. What was frozen from the start
never has one, so there is nothing to save. What was frozen later keeps its moments until it is taken out, and costs no
time while its gradient is None; where that is zero, Adam goes on moving the weight by what the moments remember.
"""

import torch
from torch import nn

from bench import AsWritten, Axis, Metric, Pair, Setup, Step, error, may_differ, peak_memory, time, within
from suites.workloads.compare import error_of, flat, in_part
from suites.workloads.freezing import FineTuning, Tuner, fine_tuning

UPDATES_BEFORE = {"from-the-start": 0, "mid-training": 2}


def encoder_and_head(setup: Setup) -> FineTuning:
    torch.manual_seed(setup.seed)
    rows, width = setup.pick(full=32, smoke=4, cuda=256), setup.pick(full=512, smoke=8, cuda=4096)
    depth = setup.pick(full=4, smoke=2, cuda=8)
    return fine_tuning(rows, width, depth, UPDATES_BEFORE[setup.point(str)], setup.device)


def frozen(f: FineTuning, left_out: bool, set_to_none: bool = True) -> Tuner:
    tuner = Tuner(f, set_to_none)
    tuner.freeze()
    if left_out:
        tuner.leave_out_the_encoder()
    tuner.update()
    return tuner


def tune(tuner: Tuner) -> Step:
    state = tuner.state_bytes
    return lambda: {"loss": tuner.update(), "state": state}


def optimize_all(f: FineTuning) -> Step:
    return tune(frozen(f, left_out=False))


def optimize_the_head(f: FineTuning) -> Step:
    return tune(frozen(f, left_out=True))


def watch(tuner: Tuner) -> Step:
    def step() -> dict[str, object]:
        before = flat(tuner.encoder)
        tuner.update()
        return {"encoder": flat(tuner.encoder), "true encoder": before, "state": tuner.state_bytes}

    return step


def optimize_all_with_zeros(f: FineTuning) -> Step:
    return watch(frozen(f, left_out=False, set_to_none=False))


def optimize_the_head_with_zeros(f: FineTuning) -> Step:
    return watch(frozen(f, left_out=True, set_to_none=False))


def as_in_the_guide(setup: Setup) -> None:
    encoder, head = nn.Linear(2, 2).to(setup.device), nn.Linear(2, 1).to(setup.device)
    for parameter in encoder.parameters():
        parameter.requires_grad = False
    optimizer = torch.optim.Adam(head.parameters())
    head(encoder(torch.ones(1, 2, device=setup.device))).sum().backward()
    optimizer.step()


STATE = Metric("count", "optimizer state", "B", read=lambda r: r["state"])
PAIR = Pair(
    claims=("frozen-parameters",),
    inputs=encoder_and_head,
    anti_pattern=optimize_all,
    recommended=optimize_the_head,
    same=in_part("loss", within(rtol=1e-5)),
    metrics=(peak_memory, STATE, time),
    axis=Axis("frozen", full=("from-the-start", "mid-training")),
)
SET_TO_ZERO = Pair(
    claims=("frozen-parameters",),
    inputs=encoder_and_head,
    anti_pattern=optimize_all_with_zeros,
    recommended=optimize_the_head_with_zeros,
    same=may_differ("the frozen weights", because="Adam moving them is what is measured"),
    metrics=(peak_memory, STATE, error(error_of("encoder"), "frozen weights moved", zone=1e-6)),
    axis=Axis("frozen", outside=("mid-training", "from-the-start")),
    name="frozen-parameters-set-to-zero",
)
AS_WRITTEN = AsWritten(claim="frozen-parameters", where="G 3.2", usage=as_in_the_guide)
