"""A document's own usage, tried as it is written on the installed PyTorch: it runs, is deprecated, or fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from bench.fields import Field, takes_one, wrong_fields
from bench.pair import Needs, Setup

_FIELDS = {
    "claim": Field(str, '"claim-id"'),
    "where": Field(str, '"G 4.3"'),
    "modern": Field(str, '"torch.amp.autocast(...)"'),
    "needs": Field(Needs, "Needs(cuda=True)"),
}
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

    def wrong_fields(self) -> Iterator[tuple[str, str]]:
        """Each field that has not the right form, as (fact, fix); while there is one, ``faults`` cannot be told."""
        return wrong_fields(self, _FIELDS)

    def faults(self) -> Iterator[tuple[str, str]]:
        """Each fault of the declaration itself as (fact, fix)."""
        if not _PLACE.fullmatch(self.where):
            yield f"is said to stand at {self.where!r}", "write document and section, such as G 4.3"
        if not takes_one(self.usage):
            yield "has a usage that does not take exactly one argument", "take the Setup"
