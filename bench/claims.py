"""The claims of the documents, as ``suites/claims.toml`` states them, and how a faulty file is reported."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from bench.metrics import Kind

Id = Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Hardware = Literal["cpu", "cuda", "gpus"]


class Entry(BaseModel):
    """An entry of the file; a field that does not belong there is a fault."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Source(Entry):
    """A document, by its title."""

    title_en: str
    title_zh: str


class Place(Entry):
    """Where a document says something."""

    source: str
    section: str


class Promise(Entry):
    """The number a document gives: the ratio of recommended over anti-pattern, or the difference in accuracy."""

    metric: Kind
    low: float
    high: float
    text_en: str
    text_zh: str

    @model_validator(mode="after")
    def _ordered(self) -> Promise:
        if self.low > self.high:
            raise ValueError(f"low {self.low} > high {self.high}")
        return self


class Claim(Entry):
    """What a source says, in our own words. ``hardware`` is where it has meaning; a CPU never answers for CUDA."""

    id: Id
    topic: Id
    source: str
    section: str
    also: tuple[Place, ...] = ()
    metric: Kind
    hardware: tuple[Hardware, ...]
    advice_en: str
    advice_zh: str
    promised: tuple[Promise, ...] = ()

    def promise(self, kind: str) -> Promise | None:
        """What the document promises for a metric of this kind, if anything."""
        return next((p for p in self.promised if p.metric == kind), None)

    @property
    def places(self) -> str:
        """Every place that says it, such as ``G 2.3, F 2``."""
        return ", ".join(
            f"{p.source} {p.section}" for p in (Place(source=self.source, section=self.section), *self.also)
        )


class Unmeasured(Entry):
    """Advice that has no arm to measure, and why."""

    id: Id
    source: str
    section: str
    advice_en: str
    advice_zh: str
    reason_en: str
    reason_zh: str


class Contradiction(Entry):
    """Two pieces of advice that cannot both be followed.

    ``shown_by`` names the points (or whole pairs) whose numbers show it; ``shown_by_usage`` that the claims' usages as
    written do.
    """

    id: Id
    claims: tuple[Id, ...]
    shown_by: tuple[str, ...] = ()
    shown_by_usage: bool = False
    text_en: str
    text_zh: str


class TableRow(Entry):
    """A row of a document's table: what it says in words, and whose measurements stand beside it.

    ``claim`` may be an entry that cannot be measured; ``arm`` is the arm shown, ``pairs`` (all of the claim unless
    given) the ids of the pairs shown.
    """

    label_en: str
    label_zh: str
    said_en: str = ""
    said_zh: str = ""
    claim: Id
    arm: str = "recommended"
    pairs: tuple[str, ...] = ()


class Table(Entry):
    """A comparison table of a document; ``metrics`` are the kinds measured for it, a column each."""

    id: Id
    source: str
    section: str
    title_en: str
    title_zh: str
    metrics: tuple[Kind, ...]
    row: tuple[TableRow, ...]


class Claims(Entry):
    """The whole file."""

    sources: dict[str, Source]
    claim: tuple[Claim, ...]
    unmeasured: tuple[Unmeasured, ...] = ()
    contradiction: tuple[Contradiction, ...] = ()
    table: tuple[Table, ...] = ()

    @model_validator(mode="after")
    def _consistent(self) -> Claims:
        ids = [c.id for c in self.claim] + [u.id for u in self.unmeasured]
        faults = [f"the id {i!r} is used twice" for i in sorted({i for i in ids if ids.count(i) > 1})]
        sourced: tuple[Claim | Unmeasured | Table, ...] = (*self.claim, *self.unmeasured, *self.table)
        places = [(entry.id, entry.source) for entry in sourced]
        faults += [f"{i}: source {s!r} is not under [sources]" for i, s in places if s not in self.sources]
        for table in self.table:
            faults += [f"table {table.id}: there is no claim {r.claim!r}" for r in table.row if r.claim not in ids]
        for c in self.contradiction:
            faults += [f"{c.id}: there is no claim {i!r}" for i in c.claims if i not in ids]
        if faults:
            raise ValueError("; ".join(faults))
        return self

    def by_id(self) -> dict[str, Claim]:
        """The measurable claims by id, in the file's order."""
        return {c.id: c for c in self.claim}


class ClaimsError(Exception):
    """The claims file cannot be used; the message has every fault, one a line."""


def read_claims(path: Path) -> Claims:
    """Read ``claims.toml``. Raises ClaimsError with every fault at once."""
    try:
        return Claims.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        raise ClaimsError("\n".join(f"{path}: {_where(e['loc'])}: {e['msg']}" for e in error.errors())) from error
    except RecursionError as error:
        raise ClaimsError(f"{path}: nested too deep to be read") from error
    except (OSError, ValueError) as error:
        raise ClaimsError(f"{path}: {error}") from error


def _where(location: tuple[int | str, ...]) -> str:
    parts = (f"[{p + 1}]" if isinstance(p, int) else p for p in location)
    return ".".join("".join(c if c.isprintable() else "?" for c in part) for part in parts) or "file"
