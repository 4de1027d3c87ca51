"""Checkpoints are said to be worth saving regularly, so that a training that dies need not begin anew.

A training of 12 steps runs in a process of its own, which is really killed: after step 10, or when torch.save has
written half of the file of step 12. The anti-pattern saves at the end alone, the recommended arm every 4 steps, beside
the last checkpoint and then in its place. Variants save as often over the last one, in a file each, or in a thread.
Counted are the steps after the newest checkpoint that can be read.

Theory: between saves every way loses what was done since the last one. In mid-write a file that is written over is
neither the old nor the new one: that save loses all that it was to keep. A kill is no power cut, which may also lose
what was written and not yet synchronised; that is not tried here.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench import Axis, Needs, Pair, Setup, Step, count, may_differ, share
from suites.workloads.killed import STEPS, Save, after_the_kill, asynchronous, atomic, file_per_save, in_place

EVERY = 4


@dataclass(frozen=True)
class Kill:
    """When the training is killed, and the folder that it has."""

    moment: str
    folder: Path


def kill(setup: Setup) -> Kill:
    return Kill(setup.point(str), setup.folder)


def saving(k: Kill, save: Save, every: int = EVERY) -> Step:
    def step() -> dict[str, float]:
        with tempfile.TemporaryDirectory(dir=k.folder) as folder:
            return after_the_kill(Path(folder), save, every, k.moment)

    return step


def at_the_end(k: Kill) -> Step:
    return saving(k, in_place, every=STEPS)


def regularly(k: Kill) -> Step:
    return saving(k, atomic)


def regularly_in_place(k: Kill) -> Step:
    return saving(k, in_place)


def regularly_a_file_each(k: Kill) -> Step:
    return saving(k, file_per_save)


def regularly_in_a_thread(k: Kill) -> Step:
    return saving(k, asynchronous)


PAIR = Pair(
    claims=("checkpoint-regularly",),
    inputs=kill,
    anti_pattern=at_the_end,
    recommended=regularly,
    variants={
        "regularly_in_place": regularly_in_place,
        "regularly_a_file_each": regularly_a_file_each,
        "regularly_in_a_thread": regularly_in_a_thread,
    },
    same=may_differ("what is left on disk", because="the steps that a kill costs are what is counted"),
    metrics=(
        count(lambda r: r["lost"], "steps lost"),
        share(lambda r: r["damaged"], "checkpoints damaged", better="lower"),
    ),
    axis=Axis("killed", full=("between-saves", "mid-write")),
    needs=Needs(cpu=True),
)
