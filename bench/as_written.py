"""A document's own usage, tried as it is written on the installed PyTorch: it runs, is deprecated, or fails."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from bench.pair import Needs, Setup

_PLACE = re.compile(r"[A-Z] \d+(\.\d+)?")


@dataclass(frozen=True)
class AsWritten:
    """The API or the order of calls that a document shows for a claim, as the least code that uses it so.

    ``where`` is the document and its section, such as ``G 4.3``. ``usage`` may leave files in its set-up's folder and
    raises if the usage does not work any more; warnings are recorded. ``modern`` is what to write today where that
    differs, empty where nothing has changed.
    """

    claim: str
    where: str
    usage: Callable[[Setup], object]
    modern: str = ""
    needs: Needs = field(default_factory=Needs)

    def faults(self) -> Iterator[tuple[str, str]]:
        """Each fault of the declaration itself as (fact, fix)."""
        if not _PLACE.fullmatch(self.where):
            yield f"is said to stand at {self.where!r}", "write document and section, such as G 4.3"
        if not callable(self.usage) or len(inspect.signature(self.usage).parameters) != 1:
            yield "has a usage that does not take exactly one argument", "take the Setup"
