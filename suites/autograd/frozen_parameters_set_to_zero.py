"""Frozen parameters are said to belong out of the optimizer too; where gradients are cleared to zero, Adam moves them.

An encoder is frozen, at the start or after two updates of the whole, and a head goes on training, with gradients that
are cleared to zero instead of to None. The anti-pattern leaves the encoder with the optimizer, the recommended arm
takes it out; measured is how far one update moves the frozen weights.

Theory: Adam makes its moments, 8 bytes a parameter, when it first meets a gradient. What was frozen later keeps its
moments, and where its gradient is zero, Adam goes on moving the weight by what the moments remember.
"""

from bench import Axis, Metric, Pair, Step, error, may_differ, peak_memory
from suites.workloads.compare import error_of, flat
from suites.workloads.freezing import FineTuning, Tuner, encoder_and_head, frozen


def watch(tuner: Tuner) -> Step:
    def step() -> dict[str, object]:
        before = flat(tuner.encoder)
        tuner.update()
        return {"encoder": flat(tuner.encoder), "true encoder": before, "state": tuner.state_bytes}

    return step


def optimize_all(f: FineTuning) -> Step:
    return watch(frozen(f, left_out=False, set_to_none=False))


def optimize_the_head(f: FineTuning) -> Step:
    return watch(frozen(f, left_out=True, set_to_none=False))


PAIR = Pair(
    claims=("frozen-parameters",),
    inputs=encoder_and_head,
    anti_pattern=optimize_all,
    recommended=optimize_the_head,
    same=may_differ("the frozen weights", because="Adam moving them is what is measured"),
    metrics=(
        peak_memory,
        Metric("count", "optimizer state", "B", read=lambda r: r["state"]),
        error(error_of("encoder"), "frozen weights moved", zone=1e-6),
    ),
    axis=Axis("frozen", outside=("mid-training", "from-the-start")),
)
