"""Everything needed to declare a practice: ``from bench import Pair, Setup, Step, exactly, time``."""

from bench.as_written import AsWritten
from bench.metrics import (
    Metric,
    accuracy,
    allocated,
    count,
    device_time,
    energy,
    error,
    first_step,
    loss,
    outcome,
    peak_memory,
    share,
    size,
    throughput,
    time,
    tree_memory,
    utilisation,
)
from bench.pair import Axis, Needs, Pair, Setup, Step
from bench.same import Same, exactly, may_differ, within
from bench.trace import Trace

__all__ = [
    "AsWritten",
    "Axis",
    "Metric",
    "Needs",
    "Pair",
    "Same",
    "Setup",
    "Step",
    "Trace",
    "accuracy",
    "allocated",
    "count",
    "device_time",
    "energy",
    "error",
    "exactly",
    "first_step",
    "loss",
    "may_differ",
    "outcome",
    "peak_memory",
    "share",
    "size",
    "throughput",
    "time",
    "tree_memory",
    "utilisation",
    "within",
]
