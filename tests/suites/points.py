"""Running a pair at a point in this process, tiny, with the engine's own checks."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from bench.inputs import digest, overwrite, plain
from bench.pair import ANTI_PATTERN, Pair, PointValue, Setup

CPU = torch.device("cpu")


def results(pair: Pair[Any], folder: Path, value: PointValue | None) -> dict[str, Any]:
    """What a step of every arm returns, after the arms agreed, also on changed inputs, and left their inputs alone."""
    if not pair.same.free and pair.inputs_read == "each step":
        _agree(pair, {arm: _after_a_change(pair, _setup(folder, arm, value), arm) for arm in pair.arms})
    found = {}
    for arm in pair.arms:
        inputs = pair.inputs(_setup(folder, arm, value))
        torch.manual_seed(0)
        step = pair.arms[arm](inputs)
        before = digest(inputs)
        found[arm] = step()
        assert digest(inputs) == before, arm
    _agree(pair, found)
    return found


def metrics(pair: Pair[Any], folder: Path, value: PointValue | None) -> dict[str, dict[str, float]]:
    """For each metric that is read from results, its value in every arm."""
    found = results(pair, folder, value)
    readers = {m.name: m.read for m in pair.metrics if m.read is not None}
    return {name: {arm: float(read(result)) for arm, result in found.items()} for name, read in readers.items()}


def build(pair: Pair[Any], folder: Path, value: PointValue | None, arm: str) -> Any:
    """The step of one arm."""
    return pair.arms[arm](pair.inputs(_setup(folder, arm, value)))


def size_of(folder: Path, arm: str) -> int:
    """Bytes of the files that an arm left after ``results`` or ``build``."""
    return sum(p.stat().st_size for p in (folder / arm).iterdir())


def all_points(pair: Pair[Any]) -> list[PointValue]:
    """Every value of the pair's axis, in any profile."""
    assert pair.axis is not None
    return list(dict.fromkeys((*pair.axis.full, *pair.axis.outside)))


def _setup(folder: Path, arm: str, value: PointValue | None) -> Setup:
    own = folder / arm
    own.mkdir(exist_ok=True)
    return Setup(CPU, own, smoke=True, value=value)


def _after_a_change(pair: Pair[Any], setup: Setup, arm: str) -> Any:
    inputs = pair.inputs(setup)
    step = pair.arms[arm](inputs)
    step()
    overwrite(inputs, pair.inputs(replace(setup, seed=setup.seed + 1)))
    return step()


def _agree(pair: Pair[Any], found: dict[str, Any]) -> None:
    values = {arm: plain(result) for arm, result in found.items()}
    for arm, value in values.items():
        assert pair.same.difference(values[ANTI_PATTERN], value) is None, arm
