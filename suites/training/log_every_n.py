"""Logging is said to belong into every hundredth step and not into each.

A step is twenty updates, each of which may print a line to a file: progress and the loss, whose .item() waits for the
device. The anti-pattern prints after every update, the recommended arm after every hundredth, counted over the steps,
and the variant prints after every update as the field guide's line does, without the loss. Steps of a hundred updates
would be too long for the arms to take turns often, so most of the recommended arm's steps print nothing, and the time
of a typical one leaves out a hundredth of the anti-pattern's lines.

Theory: a line costs some microseconds, whatever the update costs, so the gain is that over the length of an update. On
a GPU .item() also empties its queue, which costs most where updates are so short that the host barely keeps up; on a
CPU there is nothing to wait for.
"""

import copy
import itertools

import torch

from bench import AsWritten, Axis, Pair, Setup, Step, count, time, within
from suites.workloads.compare import in_part
from suites.workloads.labelled import update
from suites.workloads.updates import Training, training


def train(t: Training, every: int, with_loss: bool = True) -> Step:
    model, x, labels = copy.deepcopy(t.work.model), t.work.x, t.work.labels
    optimizer, number = torch.optim.SGD(model.parameters(), lr=1e-3), itertools.count()

    def step() -> dict[str, object]:
        waits = 0
        with t.log.open("w", buffering=1) as log:
            for i in itertools.islice(number, t.updates):
                loss = update(optimizer, model, x, labels)
                if i % every == 0 and with_loss:
                    print(f"update {i}, loss {loss.item():.4f}", file=log)
                    waits += 1
                elif i % every == 0:
                    print(f"update {i}", file=log)
        return {"loss": loss, "waits": waits}

    return step


def at_every_update(t: Training) -> Step:
    return train(t, every=1)


def at_every_hundredth(t: Training) -> Step:
    return train(t, every=100)


def at_every_update_without_loss(t: Training) -> Step:
    return train(t, every=1, with_loss=False)


def as_in_the_field_guide(setup: Setup) -> None:
    layer = torch.nn.Linear(2, 1).to(setup.device)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    for i, x in enumerate(torch.ones(101, 1, 2, device=setup.device)):
        optimizer.zero_grad(set_to_none=True)
        layer(x).sum().backward()
        optimizer.step()
        if i % 100 == 0:
            print(f"batch {i}")


PAIR = Pair(
    claims=("log-every-n",),
    inputs=training,
    anti_pattern=at_every_update,
    recommended=at_every_hundredth,
    variants={"at_every_update_without_loss": at_every_update_without_loss},
    same=in_part("loss", within(rtol=1e-4, atol=1e-6)),
    metrics=(time, count(lambda r: r["waits"], "waits for the device")),
    axis=Axis("updates", full=("short", "long")),
)
AS_WRITTEN = AsWritten(claim="log-every-n", where="F 3", usage=as_in_the_field_guide)
