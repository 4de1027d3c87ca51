"""What is known of the method itself and not of a run: what ``bench trust`` measured, from ``results/trust``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from bench import power, stability
from bench.power import Power
from bench.stability import Series

FOLDER = "trust"
POWER = "power.csv"
SUITES = "suite*.csv"

_Found = TypeVar("_Found")


@dataclass(frozen=True)
class Method:
    """The smallest effect found by the seconds spent, and what series of runs said of a verdict's staying."""

    power: tuple[Power, ...] = ()
    series: tuple[Series, ...] = ()


def method_of(results: Path) -> Method:
    """What lies under ``results/trust``; nothing where there is no such file.

    Raises ValueError, with the file's name, for one that ``python -m bench trust --csv`` did not write.
    """
    folder = results / FOLDER
    spent = [_read(path, power.read, "--power 40") for path in sorted(folder.glob(POWER))]
    series = [_read(path, stability.read, "--suite 5") for path in sorted(folder.glob(SUITES))]
    return Method(tuple(power.curve(spent[0])) if spent else (), tuple(series))


def _read(path: Path, read: Callable[[str], _Found], option: str) -> _Found:
    try:
        return read(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not what python -m bench trust {option} --csv writes: {error}") from error
