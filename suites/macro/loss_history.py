"""A history of losses without their graphs, in the training of a ResNet on photographs and in its validation.

The anti-pattern appends each batch's loss as it is, the recommended arm appends it detached, and the variant its
.item(), a number. The validation forgets no_grad(), without which there would be no graph to keep. No arm logs.

Theory: in training the backward has freed what the graph held before the next batch begins, so keeping what is left of
it costs no tensor. In validation there is no backward, and each loss kept holds a whole batch's activations.
"""

from collections.abc import Callable
from dataclasses import dataclass

from bench import Axis, Needs, Pair, Setup, Step, peak_memory, time, within
from suites.workloads.practices import Options, Workload, evaluation, training
from suites.workloads.vision import in_memory

LOOPS = {"training": training, "validation": evaluation}


@dataclass(frozen=True)
class Loop:
    """A workload, and whether it is trained or evaluated."""

    workload: Workload
    run: Callable[[Workload, Options], Step]


def loop(setup: Setup) -> Loop:
    return Loop(in_memory(setup), LOOPS[setup.point(str)])


def with_graphs(one: Loop) -> Step:
    return one.run(one.workload, Options(log_every=100, history="graph"))


def detached(one: Loop) -> Step:
    return one.run(one.workload, Options(log_every=100, history="detached"))


def numbers(one: Loop) -> Step:
    return one.run(one.workload, Options(log_every=100, history="number"))


PAIR = Pair(
    claims=("loss-history",),
    inputs=loop,
    anti_pattern=with_graphs,
    recommended=detached,
    variants={"numbers": numbers},
    same=within(rtol=3e-2, atol=1e-2),
    metrics=(peak_memory, time),
    axis=Axis("loop", full=("training", "validation")),
    needs=Needs(packages=("sklearn",)),
)
