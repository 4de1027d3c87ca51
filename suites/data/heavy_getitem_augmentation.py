"""Slow work in a data set's __getitem__ can be done once beforehand; random work would end to be random.

A step is an epoch over 16 photographs that are cropped at random, as augmentation does. The anti-pattern decodes,
resizes, crops and normalises at every access. The recommended arm has cropped once and only normalises; the variant
prepares what is not random, as bytes, and crops at access. Counted is the share of samples that differ from those of
the epoch before.

Theory: random work cannot be done beforehand without ending to be random: prepared, every epoch is the same.
"""

import torch
from torchvision import transforms

from bench import Axis, Needs, Pair, Step, may_differ, share, time
from suites.workloads.prepared import TO_FLOATS, Photographs, Worked, collection, epoch, stored, to_bytes

RANDOM = to_bytes(transforms.RandomCrop(224))
UNCROPPED = to_bytes(transforms.CenterCrop(256))
CROP = transforms.RandomCrop(224)


def changing(samples: Worked) -> Step:
    """Epochs of ``samples``, and the share of them that the epoch before had otherwise."""
    before = torch.cat(epoch(samples))

    def step() -> float:
        nonlocal before
        now = torch.cat(epoch(samples))
        changed = (now != before).flatten(1).any(1).float().mean()
        before = now
        return float(changed)

    return step


def on_the_fly(p: Photographs) -> Step:
    return changing(Worked(p.files, lambda path: TO_FLOATS(RANDOM(path))))


def prepared(p: Photographs) -> Step:
    return changing(Worked(stored(p, RANDOM), TO_FLOATS))


def random_crop_of_prepared(p: Photographs) -> Step:
    return changing(Worked(stored(p, UNCROPPED), lambda sample: TO_FLOATS(CROP(sample))))


PAIR = Pair(
    claims=("heavy-getitem",),
    inputs=collection,
    anti_pattern=on_the_fly,
    recommended=prepared,
    variants={"random_crop_of_prepared": random_crop_of_prepared},
    same=may_differ("the crops", because="whether they still change is what is measured"),
    metrics=(time, share(lambda changed: changed, "samples that changed", better="higher")),
    axis=Axis("crop", outside=("random",)),
    needs=Needs(cpu=True, packages=("sklearn",)),
)
