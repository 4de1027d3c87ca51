"""The arms of a ladder: trainings that follow more and more practices, and all but one of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from bench import Step, peak_memory
from suites.workloads.practices import Options, Workload, training

# By name, in the order in which a ladder adds them: which options a practice changes.
Practices = Mapping[str, Mapping[str, Any]]
Arm = Callable[[Workload], Step]

# What a ladder on photographs ends with on every device.
ANYWHERE: Practices = {
    "none_gradients": {"none_gradients": True},
    "log_every_hundredth": {"log_every": 100},
    "channels_last": {"channels_last": True},
    "fused": {"fused": True},
}
# With workers a batch more or less may lie in the loader's queue when memory is at its highest.
PEAK_WITH_WORKERS = replace(peak_memory, exact=False)


def following(practices: Practices) -> Arm:
    """Training with all of these practices and no others."""
    options = Options(**{field: value for change in practices.values() for field, value in change.items()})
    return lambda w: training(w, options)


def rungs(practices: Practices) -> dict[str, Arm]:
    """Arms from the first practice to the last but one, each with all before it."""
    known = list(practices.items())
    return {f"with_{name}": following(dict(known[: i + 1])) for i, (name, _) in enumerate(known[:-1])}


def lacking(practices: Practices) -> dict[str, Arm]:
    """Arms that follow all practices but one; that without the last practice is the top rung already."""
    return {
        f"without_{left_out}": following({name: change for name, change in practices.items() if name != left_out})
        for left_out in list(practices)[:-1]
    }
