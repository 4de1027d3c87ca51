"""Following the gradients of the important parameters is said to belong to training; what it costs depends on how.

The anti-pattern reads the norm of each parameter's gradient with .item() at every step; the recommended arm takes all
norms in one fused call and copies them to the host at once, every tenth step. The variants change only one of the two,
or watch nothing. A reading is a copy that the host waits for.

Theory: on a GPU every .item() waits until the queue is empty, 18 times a step here, and the next kernels start late. On
a CPU there is no queue, and what is saved are small calls. Beside a long step both vanish. A tenth of the looks sees a
slow drift as well as all of them, and nine of ten spikes not at all.
"""

import torch
from torch import Tensor, nn

from bench import Axis, Pair, Step, count, time, within
from suites.workloads.compare import in_part
from suites.workloads.watched import Training, nothing, trained, training

EVERY = 10


def gradients(model: nn.Module) -> list[Tensor]:
    return [p.grad for p in model.parameters() if p.grad is not None]


def watched(t: Training, every: int, fused: bool) -> Step:
    def step() -> dict[str, object]:
        norms: list[list[float]] = []

        def watch(number: int, model: nn.Module, loss: Tensor) -> None:
            if number % every:
                return
            if fused:
                norms.append(torch.stack(torch._foreach_norm(gradients(model))).tolist())
            else:
                norms.append([g.norm().item() for g in gradients(model)])

        weights = trained(t, watch)
        return {"weights": weights, "norms": norms, "readings": sum(1 if fused else len(n) for n in norms)}

    return step


def every_step_one_by_one(t: Training) -> Step:
    return watched(t, every=1, fused=False)


def every_tenth_step_fused(t: Training) -> Step:
    return watched(t, every=EVERY, fused=True)


def every_step_fused(t: Training) -> Step:
    return watched(t, every=1, fused=True)


def every_tenth_step_one_by_one(t: Training) -> Step:
    return watched(t, every=EVERY, fused=False)


def not_watched(t: Training) -> Step:
    return lambda: {"weights": trained(t, nothing), "norms": [], "readings": 0}


PAIR = Pair(
    claims=("gradient-monitoring",),
    inputs=training,
    anti_pattern=every_step_one_by_one,
    recommended=every_tenth_step_fused,
    variants={
        "every_step_fused": every_step_fused,
        "every_tenth_step_one_by_one": every_tenth_step_one_by_one,
        "not_watched": not_watched,
    },
    same=in_part("weights", within(rtol=1e-4, atol=1e-6)),
    metrics=(time, count(lambda r: r["readings"], "readings")),
    axis=Axis("rows", full=(16, 256), smoke=(4,)),
)
