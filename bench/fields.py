"""Whether the fields of a declaration have the right form: who does not run mypy is told as well."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

LIST = (tuple, list)
NUMBER = (int, float)
NOTHING = type(None)


@dataclass(frozen=True)
class Field:
    """What a field must be, how one is written, and what the items of a list (or a table's names) must be."""

    kind: type | tuple[type, ...]
    example: str
    items: type | tuple[type, ...] = object


def wrong_fields(declared: object, fields: Mapping[str, Field]) -> Iterator[tuple[str, str]]:
    """Each field that has not the right form, as (fact, fix)."""
    for name, field in fields.items():
        value = getattr(declared, name)
        items = value if isinstance(value, (*LIST, Mapping)) else ()
        if not isinstance(value, field.kind) or not all(isinstance(item, field.items) for item in items):
            yield f"has {name}={value!r:.80}", f"write it like {name}={field.example}"


def is_point(value: object) -> bool:
    """Whether a document can hold the value of an axis so that its id finds it again."""
    return isinstance(value, str) or (
        isinstance(value, NUMBER) and not isinstance(value, bool) and math.isfinite(value)
    )


def takes_one(factory: object) -> bool:
    """Whether it can be called with exactly one argument; of what is written in C, only whether it can be called."""
    if not callable(factory):
        return False
    try:
        return len(inspect.signature(factory).parameters) == 1
    except ValueError:
        return True
