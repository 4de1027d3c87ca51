"""A table gives each learning-rate strategy its use: StepLR basic models, cosine annealing fine-tuning on little data,
OneCycleLR large models and speed, ReduceLROnPlateau complex tasks.

The anti-pattern keeps a constant rate, the recommended arm uses the strategy that the table gives for the point, and
the variants are all four and warm restarts, so that each stands beside the constant and the others. Every one has
the rate of a grid that is best for it on held-out digits. A perceptron stands in for a basic and, eight times wider,
for a large model; fine-tuning goes on from digits 0 to 4 with 45 images of 5 to 9; the complex task has a fifth of its
labels wrong.

Theory: each of the four ends with small steps, which is where a gain over a constant comes from, so they should differ
from it more than from each other. One-cycle starts at a twenty-fifth of its rate and only repays that if the rate can
be higher; the plateau needs held-out digits, which all arms here give up alike.
"""

import torch

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, accuracy, count, loss, may_differ
from suites.workloads.schedules import TEST_ACCURACY, scheduler_of, trained_at_its_best
from suites.workloads.situations import Task, task

TABLE = {"basic-model": "step", "fine-tuning": "cosine", "large-model": "one-cycle", "complex-task": "plateau"}


def situation(setup: Setup) -> Task:
    return task(setup, setup.point(str)).to(setup.device)


def constant(t: Task) -> Step:
    return lambda: trained_at_its_best(t, "constant")


def as_the_table_says(t: Task) -> Step:
    return lambda: trained_at_its_best(t, TABLE[t.name])


def step_lr(t: Task) -> Step:
    return lambda: trained_at_its_best(t, "step")


def cosine_annealing(t: Task) -> Step:
    return lambda: trained_at_its_best(t, "cosine")


def one_cycle(t: Task) -> Step:
    return lambda: trained_at_its_best(t, "one-cycle")


def reduce_on_plateau(t: Task) -> Step:
    return lambda: trained_at_its_best(t, "plateau")


def warm_restarts(t: Task) -> Step:
    return lambda: trained_at_its_best(t, "warm-restarts")


def named_in_the_document(setup: Setup) -> list[str]:
    parameter = torch.nn.Parameter(torch.zeros(1, device=setup.device))
    optimizer = torch.optim.SGD([parameter], lr=0.1)
    return [type(scheduler_of(s, optimizer, 0.1, epochs=4, batches=4)).__name__ for s in TABLE.values()]


PAIR = Pair(
    claims=("lr-strategy-table",),
    inputs=situation,
    anti_pattern=constant,
    recommended=as_the_table_says,
    variants={
        "step_lr": step_lr,
        "cosine_annealing": cosine_annealing,
        "one_cycle": one_cycle,
        "reduce_on_plateau": reduce_on_plateau,
        "warm_restarts": warm_restarts,
    },
    same=may_differ("the trained model", because="its quality is what is measured"),
    metrics=(
        accuracy(lambda r: r["accuracy"], of=lambda r: r["answers"]),
        loss(lambda r: r["loss"]),
        count(lambda r: r["steps"], "steps to target"),
    ),
    traces=(TEST_ACCURACY,),
    seeds=20,
    axis=Axis("situation", full=tuple(TABLE), quick=("basic-model", "fine-tuning")),
    needs=Needs(packages=("sklearn",)),
)
AS_WRITTEN = AsWritten(claim="lr-strategy-table", where="F 3", usage=named_in_the_document)
