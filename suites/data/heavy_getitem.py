"""Slow work in a data set's __getitem__ is said to be a trap; it can be done once beforehand.

A step is an epoch over 16 photographs. The anti-pattern decodes, resizes, crops and normalises at every access. The
recommended arm has done it all once (untimed: it takes about one such epoch) and reads float32 from a mapped file; the
variant keeps the crops as bytes and only normalises at access. The size on disk is that of the photographs and of what
was prepared.

Theory: what is prepared is read at the speed of memory and takes 600 kB per photograph as float32, 150 kB as bytes,
beside some 50 kB of JPEG.
"""

from torch import Tensor
from torchvision import transforms

from bench import Needs, Pair, Step, exactly, size, time
from suites.workloads.prepared import TO_FLOATS, Photographs, Worked, collection, epoch, stored, to_bytes

CENTRE = to_bytes(transforms.CenterCrop(224))


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
