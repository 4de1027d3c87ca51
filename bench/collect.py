"""Finding the pairs under ``suites/`` and reporting every fault of every declaration at once."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.as_written import AsWritten
from bench.claims import Claim
from bench.pair import Pair

ROOT = Path(__file__).resolve().parent.parent
SUITES = ROOT / "suites"
CLAIMS_FILE = SUITES / "claims.toml"


@dataclass(frozen=True)
class Declared:
    """A pair with its id (``topic/name``), the file and the line where it is declared."""

    id: str
    pair: Pair[Any]
    file: Path
    line: int


@dataclass(frozen=True)
class Written:
    """A document's usage with its variable's name, the file and the line where it is declared."""

    name: str
    as_written: AsWritten
    file: Path
    line: int

    @property
    def id(self) -> str:
        """As it is printed: ``training/clip-grad-norm as written in F 3``."""
        return f"{self.file.parent.name}/{self.as_written.claim} as written in {self.as_written.where}"


class DeclarationError(Exception):
    """Faulty declarations; the message has every fault, one a line."""


def practice_files(folder: Path = SUITES) -> list[Path]:
    """The files that may declare pairs, sorted: ``suites/<topic>/*.py`` without the shared workloads."""
    return sorted(p for p in folder.glob("*/*.py") if p.parent.name != "workloads" and p.name != "__init__.py")


def load_pairs(file: Path) -> list[Declared]:
    """Import ``file`` and return the pairs it declares, in their order. Whatever its import raises is raised."""
    found = [(name, value) for name, value in vars(_import(file)).items() if isinstance(value, Pair)]
    lines = file.read_text(encoding="utf-8").splitlines()
    return [Declared(_id(file, pair), pair, file, _line_of(name, lines)) for name, pair in found]


def load_usages(file: Path) -> list[Written]:
    """Import ``file`` and return the documents' usages that it declares, in their order."""
    found = [(name, value) for name, value in vars(_import(file)).items() if isinstance(value, AsWritten)]
    lines = file.read_text(encoding="utf-8").splitlines()
    return [Written(name, usage, file, _line_of(name, lines)) for name, usage in found]


def collect(files: Iterable[Path], claims: dict[str, Claim]) -> list[Declared]:
    """Every pair of ``files``. Raises DeclarationError with the faults of all of them, of their usages too."""
    files = list(files)
    declared = [d for file in files for d in load_pairs(file)]
    faults = [fault for d in declared for fault in _faults(d, claims)]
    faults += [fault for file in files for w in load_usages(file) for fault in _usage_faults(w, claims)]
    ids = [d.id for d in declared]
    for d in declared:
        if ids.count(d.id) > 1:
            faults.append(_fault(d, "has an id that another pair has", "give it another name="))
    if faults:
        raise DeclarationError("\n".join(faults))
    return declared


def _faults(d: Declared, claims: dict[str, Claim]) -> list[str]:
    if wrong := list(d.pair.wrong_fields()):
        return [_fault(d, fact, fix) for fact, fix in wrong]
    faults = [_fault(d, fact, fix) for fact, fix in d.pair.faults()]
    if "." in d.id:
        faults.append(_fault(d, "has '.' in its id", "use - instead, since pytest prints . as ::"))
    kinds = {m.kind for m in d.pair.metrics}
    for claim in d.pair.claims:
        if claim not in claims:
            faults.append(
                _fault(d, f"names the claim {claim!r}, which is not in claims.toml", "add the claim or mend the id")
            )
        elif claims[claim].metric not in kinds:
            wanted = claims[claim].metric
            faults.append(
                _fault(d, f"does not measure {wanted}, the metric of claim {claim!r}", f"add a {wanted} metric")
            )
    return faults


def _usage_faults(w: Written, claims: dict[str, Claim]) -> list[str]:
    faults = list(w.as_written.wrong_fields()) or list(w.as_written.faults())
    claim = claims.get(str(w.as_written.claim))
    if claim is None:
        faults.append((f"names the claim {w.as_written.claim!r}, which is not in claims.toml", "mend the id"))
    elif w.as_written.where not in claim.places.split(", "):
        faults.append((f"stands at {w.as_written.where}, the claim at {claim.places}", "mend one of them"))
    return [f"{w.file}:{w.line}: {w.name} {fact}; {fix}" for fact, fix in faults]


def _fault(d: Declared, fact: str, fix: str) -> str:
    return f"{d.file}:{d.line}: {d.id} {fact}; {fix}"


def _id(file: Path, pair: Pair[Any]) -> str:
    return f"{file.parent.name}/{pair.name or file.stem.replace('_', '-')}"


def _line_of(name: str, lines: list[str]) -> int:
    return next((i for i, line in enumerate(lines, 1) if line.split(":")[0].split("=")[0].strip() == name), 1)


def _import(file: Path) -> Any:
    """Import by path under a name of its own, once per process."""
    name = f"torchproof_practices.{file.parent.name}.{file.stem}".replace("-", "_")
    loaded = sys.modules.get(name)
    if loaded is not None and getattr(loaded, "__file__", None) == str(file):
        return loaded
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        # Half of a file must not pass for all of it when it is asked for again.
        del sys.modules[name]
        raise
    return module
