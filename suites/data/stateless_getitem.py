"""A dataset whose __getitem__ keeps state across samples is said to go wrong as soon as there are workers.

A step loads epochs of numbered samples and counts those that arrive twice and those that never do. The anti-pattern
hands out the next sample whichever is asked for, the recommended arm goes by the index alone. At ``cache`` the
anti-pattern remembers what it has loaded, where the recommended arm has loaded all before the loader starts, and two
epochs are run; at ``stream`` it is an iterable dataset that does not ask which worker it is in.

Theory: each of w workers has a copy of the dataset and of its position, so all count from 0: of n samples the first n/w
arrive w times and the others never. A cache in a worker ends with the worker, so every epoch loads everything anew,
and no sample goes wrong. Without workers there is one copy only, and state does no harm.
"""

from dataclasses import dataclass

from bench import AsWritten, Axis, Needs, Pair, Setup, Step, count, may_differ, share
from suites.workloads.stateful import ByIndex, ByPosition, LoadedBefore, Remembering, Stream, load


@dataclass(frozen=True)
class Loading:
    """What kind of state is kept, how many samples there are, and by how many workers they are loaded."""

    kind: str
    size: int
    workers: int


def loading(setup: Setup) -> Loading:
    kind, _, without = setup.point(str).partition("-")
    return Loading(kind, setup.pick(full=64, smoke=16), workers=0 if without else 2)


def with_state(loading: Loading) -> Step:
    size, workers = loading.size, loading.workers
    return {
        "position": lambda: load(ByPosition(size), size, workers, epochs=1),
        "cache": lambda: load(Remembering(size), size, workers, epochs=2),
        "stream": lambda: load(Stream(size, sharded=False), size, workers, epochs=1),
    }[loading.kind]


def without_state(loading: Loading) -> Step:
    size, workers = loading.size, loading.workers
    return {
        "position": lambda: load(ByIndex(size), size, workers, epochs=1),
        "cache": lambda: load(LoadedBefore(size), size, workers, epochs=2, loaded=size),
        "stream": lambda: load(Stream(size, sharded=True), size, workers, epochs=1),
    }[loading.kind]


def one_sample_by_its_index(setup: Setup) -> None:
    load(ByIndex(4), size=4, workers=2, epochs=1)


PAIR = Pair(
    claims=("stateless-getitem",),
    inputs=loading,
    anti_pattern=with_state,
    recommended=without_state,
    same=may_differ("the samples that arrive", because="what state does to them is what is counted"),
    metrics=(
        count(lambda r: r["duplicates"], "samples that arrive again"),
        count(lambda r: r["missing"], "samples that never arrive"),
        share(lambda r: r["again"], "samples loaded once more", better="lower"),
    ),
    axis=Axis(
        "state",
        full=("position",),
        outside=("position-without-workers", "cache", "cache-without-workers", "stream"),
    ),
    needs=Needs(cpu=True),
    seeds=2,
)
AS_WRITTEN = AsWritten(claim="stateless-getitem", where="G 5.1", usage=one_sample_by_its_index)
