"""Slow work in a data set's __getitem__ is said to be a trap; it can be done once beforehand.

A step is an epoch over 16 photographs. The anti-pattern decodes, resizes, crops and normalises at every access. The
recommended arm has done it all once (untimed: it takes about one such epoch) and reads float32 from a mapped file; the
variant keeps the crops as bytes and only normalises at access. The size on disk is that of the photographs and of what
was prepared.

The second pair crops at random, as augmentation does: prepared, every epoch is the same. Its variant prepares what is
not random and crops at access. Counted is the share of samples that differ from those of the epoch before.

Theory: what is prepared is read at the speed of memory and takes 600 kB per photograph as float32, 150 kB as bytes,
beside some 50 kB of JPEG. Random work cannot be done beforehand without ending to be random.
"""

import torch
from torch import Tensor
from torchvision import transforms

from bench import Axis, Needs, Pair, Step, exactly, may_differ, share, size, time
from suites.workloads.prepared import TO_FLOATS, Photographs, Worked, collection, epoch, stored, to_bytes

CENTRE = to_bytes(transforms.CenterCrop(224))
RANDOM = to_bytes(transforms.RandomCrop(224))
UNCROPPED = to_bytes(transforms.CenterCrop(256))
CROP = transforms.RandomCrop(224)


def as_it_is(sample: Tensor) -> Tensor:
    return sample


def on_the_fly(p: Photographs) -> Step:
    samples = Worked(p.files, lambda path: TO_FLOATS(CENTRE(path)))
    return lambda: epoch(samples)


def prepared(p: Photographs) -> Step:
    samples = Worked(stored(p, lambda path: TO_FLOATS(CENTRE(path))), as_it_is)
    return lambda: epoch(samples)


def prepared_as_bytes(p: Photographs) -> Step:
    samples = Worked(stored(p, CENTRE), TO_FLOATS)
    return lambda: epoch(samples)


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


def random_on_the_fly(p: Photographs) -> Step:
    return changing(Worked(p.files, lambda path: TO_FLOATS(RANDOM(path))))


def random_prepared(p: Photographs) -> Step:
    return changing(Worked(stored(p, RANDOM), TO_FLOATS))


def random_crop_of_prepared(p: Photographs) -> Step:
    return changing(Worked(stored(p, UNCROPPED), lambda sample: TO_FLOATS(CROP(sample))))


PAIR = Pair(
    claims=("heavy-getitem",),
    inputs=collection,
    anti_pattern=on_the_fly,
    recommended=prepared,
    variants={"prepared_as_bytes": prepared_as_bytes},
    same=exactly,
    metrics=(time, size),
    needs=Needs(cpu=True, packages=("sklearn",)),
    inputs_read="at set-up",
)
AUGMENTED = Pair(
    claims=("heavy-getitem",),
    inputs=collection,
    anti_pattern=random_on_the_fly,
    recommended=random_prepared,
    variants={"random_crop_of_prepared": random_crop_of_prepared},
    same=may_differ("the crops", because="whether they still change is what is measured"),
    metrics=(time, share(lambda changed: changed, "samples that changed", better="higher")),
    axis=Axis("crop", outside=("random",)),
    needs=Needs(cpu=True, packages=("sklearn",)),
    name="heavy-getitem-augmentation",
)
