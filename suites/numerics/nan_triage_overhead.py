"""What looking for NaN at every step costs a training that has none: the price of finding its cause early.

A step is a forward and a backward of twelve dense layers. The anti-pattern looks at nothing, the recommended arm asks
whether all gradients are finite (where the loss is not, they are not either), and the variant leaves on torch's anomaly
mode, which is meant for the one step that went wrong.

Theory: the question is a pass over the gradients and one value read from the device, for which the host waits. Anomaly
mode asks after every operation of the backward and keeps a Python traceback for every one of the forward.
"""

import math

from torch import nn
from torch.nn.utils import get_total_norm

from bench import Axis, Pair, Step, count, exactly, time
from suites.workloads.compare import in_part
from suites.workloads.guarded import Training, guarded, no_check, training


def not_finite(model: nn.Module) -> bool:
    gradients = [p.grad for p in model.parameters() if p.grad is not None]
    return not get_total_norm(gradients, norm_type=math.inf).isfinite()


def look_at_nothing(t: Training) -> Step:
    return guarded(t, no_check)


def look_at_every_step(t: Training) -> Step:
    return guarded(t, not_finite)


def anomaly_mode_always(t: Training) -> Step:
    return guarded(t, no_check, anomaly_mode=True)


PAIR = Pair(
    claims=("nan-triage",),
    inputs=training,
    anti_pattern=look_at_nothing,
    recommended=look_at_every_step,
    variants={"anomaly_mode_always": anomaly_mode_always},
    same=in_part("checked", exactly),
    metrics=(time, count(lambda r: r["reads"], "values read from the device")),
    axis=Axis("model", outside=("twelve-layers",)),
)
