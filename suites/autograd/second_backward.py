"""A second backward() through one graph is said to raise unless the first was told to retain_graph.

A small network with two losses: the anti-pattern calls backward() for one after the other, the recommended arm keeps
the graph for the second, and the variant calls it once for their sum. The gradient is that of both losses.

Theory: the first backward frees the tensors that the graph saved, and not the graph. Where nothing was saved, as in a
network of additions, or where the losses share nothing, the second finds all it needs. A kept graph is of no use once
the weights that it saved were updated in place: the second backward then raises for that reason.
"""

from torch import Tensor

from bench import AsWritten, Axis, Pair, Step, outcome, within
from suites.workloads.snippets import keep_the_graph_for_a_second_loss
from suites.workloads.two_losses import Batch, batch, two_losses


def gradient(b: Batch, retain_graph: bool = False, summed: bool = False) -> Tensor | None:
    weight = b.weight.clone().requires_grad_()
    first, second = two_losses(b, weight)
    if summed:
        (first + second).backward()
        return weight.grad
    first.backward(retain_graph=retain_graph)
    if b.losses == "update-between":
        weight.detach().sub_(0.1)
    second.backward()
    return weight.grad


def backward_twice(b: Batch) -> Step:
    return lambda: gradient(b)


def retain_the_graph(b: Batch) -> Step:
    return lambda: gradient(b, retain_graph=True)


def backward_of_the_sum(b: Batch) -> Step:
    return lambda: gradient(b, summed=True)


PAIR = Pair(
    claims=("second-backward",),
    inputs=batch,
    anti_pattern=backward_twice,
    recommended=retain_the_graph,
    variants={"backward_of_the_sum": backward_of_the_sum},
    same=within(rtol=1e-5, atol=1e-6),
    metrics=(outcome,),
    axis=Axis(
        "losses",
        full=("the-same-loss", "two-of-one-graph"),
        outside=("nothing-saved", "nothing-shared", "update-between"),
    ),
)
AS_WRITTEN = AsWritten(claim="second-backward", where="G 3.1", usage=keep_the_graph_for_a_second_loss)
