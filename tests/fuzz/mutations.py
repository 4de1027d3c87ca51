"""Documents that were good once: parts replaced, removed, doubled or moved, as damage, spite and other versions do."""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

# How long to look: a few dozen examples that are always the same, or TORCHPROOF_FUZZ=20000 that are not.
EXAMPLES = int(os.environ.get("TORCHPROOF_FUZZ", "0"))


def fuzzed(few: int = 30) -> settings:
    """``few`` examples in the suite."""
    return settings(
        max_examples=EXAMPLES or few,
        derandomize=not EXAMPLES,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


EVIL = "<b id=evil onclick=evil()>|`evil`\u202e\x1b[31m\n![evil](http://evil)"
TEXTS = st.one_of(st.just(EVIL), st.text(max_size=30), st.just("x" * 25_000), st.sampled_from(["", "=1+1", "a/b", "."]))
NUMBERS = st.one_of(
    st.integers(-3, 3),
    st.integers(),
    st.floats(),
    st.sampled_from([1e-320, 1e300, -1e300, 5e-324, 10**400, 2**63, 0.999999999]),
)
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=8
)


def small(document: Any) -> Any:
    """A run document with six replicates of two blocks at every point: every part is there, and quick to look at."""
    for point in document["points"]:
        if point.get("timing"):
            del point["timing"]["replicates"][6:]
            for replicate in point["timing"]["replicates"]:
                replicate["orders"] = replicate["orders"][:2]
                for what in ("host", "cpu"):
                    replicate[what] = {arm: samples[:2] for arm, samples in replicate[what].items()}
    return document


def places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Every container of the document with each of its keys or indexes."""
    keys = list(document) if isinstance(document, dict) else range(len(document)) if isinstance(document, list) else ()
    for key in keys:
        yield document, key
        yield from places(document[key])


@dataclass(frozen=True)
class Mutant:
    """What became of a document, and how: the latter is what a failing test shows."""

    document: Any = field(repr=False)
    changes: list[str]


@st.composite
def mutated(draw: st.DrawFn, document: Any, same_type: bool = False) -> Mutant:
    """``document`` with one to five changes; with ``same_type`` what stands for a value is of its kind."""
    found, changes = copy.deepcopy(document), []
    for _ in range(draw(st.integers(1, 5))):
        where = list(places(found))
        if not where:
            break
        container, key = where[draw(st.integers(0, len(where) - 1))]
        how = draw(st.sampled_from(["replace", "replace", "remove", "double", "move"]))
        if how == "replace":
            container[key] = draw(like(container[key]) if same_type else ANYTHING)
        elif how == "remove":
            del container[key]
        elif how == "double":
            double(container, key, draw(TEXTS))
        else:
            other, from_key = where[draw(st.integers(0, len(where) - 1))]
            container[key] = copy.deepcopy(other[from_key])
        changes.append(f"{how} {key!r:.80} {container!r:.200}")
    return Mutant(found, changes)


def double(container: Any, key: Any, name: str) -> None:
    """A list gets the item twice, a table gets it under another name too."""
    if isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key]))
    else:
        container[name] = copy.deepcopy(container[key])


def like(value: Any) -> st.SearchStrategy[Any]:
    """Values of the same kind, most of which no honest run has."""
    if isinstance(value, bool):
        return st.booleans()
    if isinstance(value, int):
        return st.integers(-3, 100) | st.integers()
    if isinstance(value, float):
        return NUMBERS
    if isinstance(value, str):
        return TEXTS
    if isinstance(value, list):
        return st.just([]) | st.just(value[:1]) | st.just(value * 2)
    return st.none() | st.just({})
