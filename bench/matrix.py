"""The same pairs under several versions of torch, each in an environment of its own, and what changed between them."""

from __future__ import annotations

import contextlib
import itertools
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import compare_lines
from bench.claims import Claims
from bench.collect import ROOT
from bench.compare import IncomparableError, compare
from bench.lines import change_text
from bench.results import Run, UnreadableRunError, read_run

Tell = Callable[[str], None]

VERSION = re.compile(r"(\d+)\.(\d+)(\.\d+\S*)?")
# torchvision 0.24 belongs to torch 2.9, and so on up.
VISION_AHEAD = 15
TAIL = 6


class MatrixError(Exception):
    """A version cannot be measured; the message says at which step, and what was said last."""


@dataclass(frozen=True)
class Column:
    """A version of torch and the run that was measured with it."""

    version: str
    run: Run


def torchvision_of(version: str) -> str:
    """The requirement of the torchvision that was built for a torch. Raises MatrixError for what is no version."""
    found = VERSION.fullmatch(version)
    if found is None or found[1] != "2":
        raise MatrixError(f"{version!r} is no version of torch 2; write it like 2.14.1")
    return f"torchvision==0.{int(found[2]) + VISION_AHEAD}.*"


def requirements(pyproject: Path, extra: str | None = None) -> list[str]:
    """What the project needs besides torch, or what one of its extras adds."""
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    found = project["dependencies"] if extra is None else project["optional-dependencies"].get(extra, [])
    return [r for r in found if not re.match(r"torch(vision)?\b(?!ao)", r)]


@contextlib.contextmanager
def environments_in(folder: Path | None) -> Iterator[Path]:
    """Where the environments are made: a folder in which they stay, or one that is removed in the end."""
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="torchproof-matrix-") as name:
        yield Path(name)


def prepare(version: str, folder: Path, extras: Sequence[str], tell: Tell) -> Path:
    """The interpreter of an environment with this torch; one that is there already is used. Raises MatrixError."""
    vision = torchvision_of(version)
    place = folder / f"torch-{version}"
    python = place / "bin" / "python"
    if (place / "ready").exists():
        tell(f"[{version}] uses {place}")
        return python
    tell(f"[{version}] installs into {place}")
    _run([sys.executable, "-m", "venv", "--clear", str(place)], version)
    pinned = f"torch=={version}"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _run([*pip, pinned], version)
    _optional([*pip, pinned, vision], [str(python), "-c", "import torchvision"], version, "torchvision", tell)
    _run([*pip, pinned, *requirements(ROOT / "pyproject.toml")], version)
    for extra in extras:
        _optional([*pip, pinned, *requirements(ROOT / "pyproject.toml", extra)], None, version, extra, tell)
    (place / "ready").touch()
    return python


def _optional(install: list[str], check: list[str] | None, version: str, what: str, tell: Tell) -> None:
    """What cannot be installed or imported is left out and said; the pairs that need it are NOT MEASURED then."""
    try:
        _run(install, version)
        if check is not None:
            _run(check, version)
    except MatrixError as error:
        tell(f"[{version}] left out: {what}: {error}")
        if check is not None:
            _run([*install[:3], "uninstall", "--quiet", "--yes", what], version)


def measure(version: str, python: Path, arguments: Sequence[str], results: Path, tell: Tell) -> Run:
    """Measure with that interpreter, its lines told as they come. Raises MatrixError."""
    folder = results / f"torch-{version}"
    before = set(folder.glob("*/*/run.json"))
    # A file that needs what this version has not is told in one line, and the others are measured.
    tolerant = ["--continue-on-collection-errors", "--tb=no"]
    command = [str(python), "-u", "-m", "pytest", "--benchmark", *tolerant, *arguments, f"--results={folder}"]
    tail: list[str] = []
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        assert process.stdout is not None
        for line in map(str.rstrip, process.stdout):
            tail = [*tail, line][-TAIL:]
            if line:
                tell(f"[{version}] {line}")
    fresh = sorted(set(folder.glob("*/*/run.json")) - before)
    if not fresh:
        raise MatrixError(f"torch {version}: nothing was measured: {' | '.join(tail)}")
    try:
        run = read_run(fresh[-1])
    except UnreadableRunError as error:
        raise MatrixError(str(error)) from error
    if run.finished is None:
        raise MatrixError(f"torch {version}: the run was not finished: {' | '.join(tail)}")
    return run


def run_matrix(
    versions: Sequence[str],
    environments: Path | None,
    extras: Sequence[str],
    arguments: Sequence[str],
    results: Path,
    tell: Tell,
) -> list[Column]:
    """Measure with every version; one that cannot be is told and left out. Raises MatrixError for no version at all."""
    for version in versions:
        torchvision_of(version)
    columns = []
    with environments_in(environments) as folder:
        for version in versions:
            try:
                python = prepare(version, folder, extras, tell)
                columns.append(Column(version, measure(version, python, arguments, results, tell)))
            except MatrixError as error:
                tell(f"NOT MEASURED: {error}")
    return columns


def report(columns: Sequence[Column], claims: Claims) -> tuple[list[str], bool]:
    """What changed from each version to the next, and every metric that changed anywhere in all versions.

    The second part is whether all of them could be compared.
    """
    told: list[str] = []
    comparable = len(columns) > 1
    changed: dict[tuple[str, str], dict[str, str]] = {}
    for one, other in itertools.pairwise(columns):
        told.append(f"torch {one.version} to {other.version}:")
        try:
            found = compare(one.run, other.run, claims)
        except IncomparableError as error:
            told.append(f"  cannot be compared: {error}")
            comparable = False
            continue
        told += [f"  {line}" for line in compare_lines.lines(found)]
        for s in found.changed:
            row = changed.setdefault((s.point, s.metric), {})
            row |= {c.version: f"{change_text(j)} {j.verdict}" for c, j in ((one, s.base), (other, s.new))}
    for (point, metric), row in changed.items():
        told.append(f"{point} {metric}")
        told += [f"  {c.version:10} {row.get(c.version, 'as the version beside it')}" for c in columns]
    return told, comparable


def _run(command: list[str], version: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()][-TAIL:]
        step = " ".join(command[1:5])
        raise MatrixError(f"torch {version}: {step} … ended with {done.returncode}: {' | '.join(said)}")
