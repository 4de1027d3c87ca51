"""A history of losses is said to keep every step's graph in memory; here is what the graphs hold, and what waits.

A step runs through all batches and keeps a history: of the losses as they are, of their .item(), or, in the variant, of
their .detach(). Read is what graphs hold per batch when the run has ended, and how often the GPU was waited for.

Theory: a graph holds the input of every layer until its backward: about n w (d + 1) floats for n rows of width w and d
hidden layers. Training and no_grad() leave none of it. .item() waits for the GPU at every batch and .detach() does not.
"""

from torch import Tensor

from bench import Axis, Metric, Pair, Step, count, peak_memory, within
from suites.workloads.compare import in_part
from suites.workloads.gpu_waits import waits
from suites.workloads.histories import Keep, Loop, Run, as_it_is, batches, values
from suites.workloads.kept import Kept


def watched(a: Loop, keep: Keep) -> Step:
    run = Run(a, keep)

    def step() -> dict[str, object]:
        kept = Kept(besides=run.model.parameters())
        with kept.watch():
            losses = run()
        return {"losses": values(losses), "kept": kept.nbytes / len(a.batches), "waits": waits(run)}

    return step


def append_the_loss(a: Loop) -> Step:
    return watched(a, as_it_is)


def append_the_item(a: Loop) -> Step:
    return watched(a, Tensor.item)


def append_detached(a: Loop) -> Step:
    return watched(a, Tensor.detach)


PAIR = Pair(
    claims=("loss-history",),
    inputs=batches,
    anti_pattern=append_the_loss,
    recommended=append_the_item,
    variants={"append_detached": append_detached},
    same=in_part("losses", within(rtol=1e-5)),
    metrics=(
        peak_memory,
        Metric("count", "held by graphs per batch", "B", read=lambda r: r["kept"]),
        count(lambda r: r["waits"], "waits for the GPU"),
    ),
    axis=Axis("loop", outside=("evaluation", "training", "evaluation-under-no-grad")),
)
