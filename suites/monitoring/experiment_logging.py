"""Recording experiments with TensorBoard or the like is said to belong to training; what it costs depends on how often.

The anti-pattern writes loss and learning rate with a real SummaryWriter at every step, the recommended arm at every
tenth. Variants: all losses are kept on the device and written ten at a time, so that nothing is left out, and no
logging. Every arm ends with a flush, so the writer's own thread has no work left over that is not timed.

Theory: a scalar is a small message that Python builds and a thread writes, some tens of microseconds, so the cost is
per scalar, and buffering saves only the waiting of .item(), of which a CPU has none. Beside a long step all of it
vanishes. Weights & Biases, which the document also names, sends to a server and is not measured.
"""

import torch
from torch import Tensor, nn

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, size, time, within
from suites.workloads.watched import RATE, Training, nothing, trained, training

EVERY = 10
NEEDS = Needs(packages=("tensorboard",))


def logged(t: Training, every: int, buffered: bool = False) -> Step:
    from torch.utils.tensorboard import SummaryWriter  # needs an extra, as the pair says

    writer = SummaryWriter(str(t.folder))

    def write(number: int, loss: float) -> None:
        writer.add_scalar("loss", loss, number)
        writer.add_scalar("rate", RATE, number)

    def step() -> Tensor:
        waiting: list[Tensor] = []

        def watch(number: int, model: nn.Module, loss: Tensor) -> None:
            if buffered:
                waiting.append(loss)
            if (number + 1) % every:
                return
            losses = torch.stack(waiting).tolist() if buffered else [loss.item()]
            waiting.clear()
            for before, value in enumerate(reversed(losses)):
                write(number - before, value)

        weights = trained(t, watch)
        writer.flush()
        return weights

    return step


def every_step(t: Training) -> Step:
    return logged(t, every=1)


def every_tenth_step(t: Training) -> Step:
    return logged(t, every=EVERY)


def all_of_them_ten_at_a_time(t: Training) -> Step:
    return logged(t, every=EVERY, buffered=True)


def not_logged(t: Training) -> Step:
    return lambda: trained(t, nothing)


def named_in_the_document(setup: Setup) -> None:
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(str(setup.folder)) as writer:
        writer.add_scalar("loss", 1.0, 0)


PAIR = Pair(
    claims=("experiment-logging",),
    inputs=training,
    anti_pattern=every_step,
    recommended=every_tenth_step,
    variants={"all_of_them_ten_at_a_time": all_of_them_ten_at_a_time, "not_logged": not_logged},
    same=within(rtol=1e-4, atol=1e-6),
    metrics=(time, size),
    axis=Axis("rows", full=(16, 256), smoke=(4,)),
    needs=NEEDS,
)
AS_WRITTEN = AsWritten(claim="experiment-logging", where="F 6", usage=named_in_the_document, needs=NEEDS)
