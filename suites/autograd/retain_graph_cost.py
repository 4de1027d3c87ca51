"""Keeping the graph for a second backward is said to cost memory; one backward of the summed losses keeps none.

A network with two heads: the anti-pattern calls backward(retain_graph=True) for one loss and backward() for the other,
the recommended arm calls backward() once for their sum. The gradient is that of the same loss either way.

Theory: two backwards walk the shared trunk twice. Two networks that share nothing have no part to be walked twice, so
there the time is the same, and only the graph that is kept makes a difference.
"""

import torch
from torch import Tensor

from bench import AsWritten, Axis, Pair, Setup, Step, error, peak_memory, time, within
from suites.workloads.compare import error_of, in_part
from suites.workloads.snippets import keep_the_graph_for_a_second_loss
from suites.workloads.two_heads import TwoHeads, two_heads


def networks(setup: Setup) -> TwoHeads:
    torch.manual_seed(setup.seed)
    rows, width = setup.pick(full=256, smoke=4, cuda=8192), setup.pick(full=256, smoke=8, cuda=1024)
    return two_heads(setup.value == "shared", rows, width, depth=6, device=setup.device)


def result(n: TwoHeads) -> dict[str, Tensor]:
    return {"gradient": n.gradient(), "true gradient": n.true_gradient}


def backward_twice(n: TwoHeads) -> Step:
    def step() -> dict[str, Tensor]:
        first, second = n.losses()
        first.backward(retain_graph=True)
        second.backward()
        return result(n)

    return step


def backward_of_the_sum(n: TwoHeads) -> Step:
    def step() -> dict[str, Tensor]:
        first, second = n.losses()
        (first + second).backward()
        return result(n)

    return step


PAIR = Pair(
    claims=("retain-graph-cost",),
    inputs=networks,
    anti_pattern=backward_twice,
    recommended=backward_of_the_sum,
    same=in_part("gradient", within(rtol=1e-3, atol=1e-6)),
    metrics=(peak_memory, time, error(error_of("gradient"), "gradient error")),
    axis=Axis("trunk", full=("shared",), outside=("separate",)),
)
AS_WRITTEN = AsWritten(claim="retain-graph-cost", where="G 3.1", usage=keep_the_graph_for_a_second_loss)
