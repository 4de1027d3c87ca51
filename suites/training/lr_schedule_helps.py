"""Scheduling the learning rate is said to converge more steadily and to end more accurate than a constant rate.

A small perceptron learns digits in twenty epochs. The anti-pattern keeps a constant rate, the recommended arm anneals
it by a cosine, once per epoch as in the document; variants: three steps down, and a cosine with warm restarts. At the
point ``tuned`` each strategy has the rate of a grid that is best for it on held-out digits; at the others all start
from the constant's tuned rate times 1/10 or 3. The late spread is the test loss's deviation over the last third.

Theory: a schedule ends with small steps, which average out the gradient's noise, so it must be steadier. How much more
accurate that is depends on the noise that is left: a constant rate that was chosen well for the same number of epochs
has little. A rate too high is what a schedule mends; one too low it makes lower still, and converges later.
"""

from dataclasses import replace

import torch

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, accuracy, count, loss, may_differ
from suites.workloads.schedules import TEST_ACCURACY, trained_at_its_best, trained_at_the_constant_rate
from suites.workloads.situations import Task, task

FACTORS = {"tuned": 1.0, "a-tenth": 0.1, "threefold": 3.0}


def digits(setup: Setup) -> Task:
    return replace(task(setup, "basic-model").to(setup.device), factor=FACTORS[setup.point(str)])


def train(t: Task, strategy: str) -> Step:
    if t.factor == 1:
        return lambda: trained_at_its_best(t, strategy)
    return lambda: trained_at_the_constant_rate(t, strategy)


def constant(t: Task) -> Step:
    return train(t, "constant")


def cosine(t: Task) -> Step:
    return train(t, "cosine")


def steps_down(t: Task) -> Step:
    return train(t, "step")


def warm_restarts(t: Task) -> Step:
    return train(t, "warm-restarts")


def written_in_the_document(setup: Setup) -> list[float]:
    parameter = torch.nn.Parameter(torch.zeros(1, device=setup.device))
    optimizer = torch.optim.SGD([parameter], lr=0.1)
    epochs, rates = 4, []
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    for _ in range(epochs):
        optimizer.step()
        scheduler.step()
        rates.append(scheduler.get_last_lr()[0])
    return rates


PAIR = Pair(
    claims=("lr-schedule-helps",),
    inputs=digits,
    anti_pattern=constant,
    recommended=cosine,
    variants={"steps_down": steps_down, "warm_restarts": warm_restarts},
    same=may_differ("the trained model", because="its quality is what is measured"),
    metrics=(
        accuracy(lambda r: r["accuracy"], of=lambda r: r["answers"]),
        loss(lambda r: r["loss"]),
        loss(lambda r: r["spread"], "late spread of the loss"),
        count(lambda r: r["steps"], "steps to 90 %"),
    ),
    traces=(TEST_ACCURACY,),
    seeds=12,
    axis=Axis("rate", full=("tuned",), outside=("a-tenth", "threefold")),
    needs=Needs(packages=("sklearn",)),
)
AS_WRITTEN = AsWritten(claim="lr-schedule-helps", where="G 4.2", usage=written_in_the_document)
