"""What a checkpoint costs the training that stops for it, and what writing it in a thread saves.

A step is four training steps and a save of model and optimizer, 13 MB on a CPU's small network, far more often than
anybody would: it is the difference from saving nothing that counts. The anti-pattern writes the file before training
goes on. The recommended arm copies the state and lets a thread write it meanwhile; the next save waits for it. Variants
write beside the last file and replace it, or save nothing. What the thread still writes is not on disk when training
goes on. Training leaves one core to the thread, if there are two.

Theory: what is left of the stall is the copy, where the thread has a core to itself, or training waits for a GPU. Where
training takes every core, the thread only takes turns with it.
"""

import copy

import torch
from torch.nn import functional as F

from bench import Axis, Needs, Pair, Step, count, exactly, time
from suites.workloads.compare import in_part
from suites.workloads.killed import Save, asynchronous, atomic, finish, in_place
from suites.workloads.saving import Training, training


def interval(t: Training, save: Save | None) -> Step:
    """Training from one save to the next, before which the last one has to be on disk."""
    torch.set_num_threads(max(1, torch.get_num_threads() - 1))
    model, writing = copy.deepcopy(t.model), None
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)

    def step() -> dict[str, object]:
        nonlocal writing
        for _ in range(t.every):
            optimizer.zero_grad()
            F.cross_entropy(model(t.x), t.labels).backward()
            optimizer.step()
        finish(writing)
        if save is not None:
            writing = save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, t.folder, torch.save)
        return {"weights": model[-1].bias.detach().clone(), "pending": int(writing is not None)}

    return step


def write_in_place(t: Training) -> Step:
    return interval(t, in_place)


def write_in_a_thread(t: Training) -> Step:
    return interval(t, asynchronous)


def write_beside(t: Training) -> Step:
    return interval(t, atomic)


def save_nothing(t: Training) -> Step:
    return interval(t, None)


PAIR = Pair(
    claims=("checkpoint-regularly",),
    inputs=training,
    anti_pattern=write_in_place,
    recommended=write_in_a_thread,
    variants={"write_beside": write_beside, "save_nothing": save_nothing},
    same=in_part("weights", exactly),
    metrics=(time, count(lambda r: r["pending"], "saves not yet on disk")),
    axis=Axis("steps-between-saves", outside=(4,)),
    needs=Needs(cpu=True),
    cores="all",
)
