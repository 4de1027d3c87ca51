"""A history of losses is said to keep every step's graph in memory, unless .item() or .detach() is what it stores.

A step runs through all batches and keeps a history. The anti-pattern appends the loss as it is, the recommended arm its
.item(), the variant its .detach(). The second pair reads what the graphs hold per batch when the run has ended, and how
often the GPU was waited for.

Theory: a graph holds the input of every layer until its backward: about n w (d + 1) floats for n rows of width w and d
hidden layers. Evaluation without no_grad() makes no backward, so there the history grows by all of that. In training
each step frees the saved tensors, and what a history then keeps is nodes, not activations. .item() waits for the GPU at
every batch and .detach() does not, which shows where steps are short.
"""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from bench import AsWritten, Axis, Metric, Pair, Setup, Step, count, peak_memory, time, within
from suites.workloads.compare import in_part
from suites.workloads.gpu_waits import waits
from suites.workloads.histories import Keep, Loop, Run, loop, values
from suites.workloads.kept import Kept


def batches(setup: Setup) -> Loop:
    torch.manual_seed(setup.seed)
    kind, number = setup.point(str), setup.pick(full=16, smoke=3, cuda=32)
    rows, width = setup.pick(full=64, smoke=4, cuda=4096), setup.pick(full=128, smoke=8, cuda=1024)
    if kind == "training-short-steps":
        rows, width = setup.pick(full=8, smoke=4), setup.pick(full=32, smoke=8)
    return loop(kind, number, rows, width, setup.device)


def as_it_is(loss: Tensor) -> Tensor:
    return loss


def history(a: Loop, keep: Keep) -> Step:
    run = Run(a, keep)
    return lambda: values(run())


def append_the_loss(a: Loop) -> Step:
    return history(a, as_it_is)


def append_the_item(a: Loop) -> Step:
    return history(a, Tensor.item)


def append_detached(a: Loop) -> Step:
    return history(a, Tensor.detach)


def watched(keep: Keep) -> Callable[[Loop], Step]:
    def arm(a: Loop) -> Step:
        run = Run(a, keep)

        def step() -> dict[str, object]:
            kept = Kept(besides=run.model.parameters())
            with kept.watch():
                losses = run()
            return {"losses": values(losses), "kept": kept.nbytes / len(a.batches), "waits": waits(run)}

        return step

    return arm


def as_in_the_guide(setup: Setup) -> list[float]:
    model, losses = nn.Linear(2, 1).to(setup.device), []
    for _ in range(2):
        loss = model(torch.ones(1, 2, device=setup.device)).sum()
        losses.append(loss.item())
    return losses


PAIR = Pair(
    claims=("loss-history",),
    inputs=batches,
    anti_pattern=append_the_loss,
    recommended=append_the_item,
    variants={"append_detached": append_detached},
    same=within(rtol=1e-5),
    metrics=(peak_memory, time),
    axis=Axis("loop", full=("evaluation", "training"), outside=("training-short-steps",)),
)
GROWTH = Pair(
    claims=("loss-history",),
    inputs=batches,
    anti_pattern=watched(as_it_is),
    recommended=watched(Tensor.item),
    variants={"append_detached": watched(Tensor.detach)},
    same=in_part("losses", within(rtol=1e-5)),
    metrics=(
        peak_memory,
        Metric("count", "held by graphs per batch", "B", read=lambda r: r["kept"]),
        count(lambda r: r["waits"], "waits for the GPU"),
    ),
    axis=Axis("loop", outside=("evaluation", "training", "evaluation-under-no-grad")),
    name="loss-history-growth",
)
AS_WRITTEN = AsWritten(claim="loss-history", where="G 7.2", usage=as_in_the_guide)
