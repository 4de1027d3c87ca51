"""no_grad() in the validation of a whole network: a ResNet in eval() runs through batches of photographs.

The anti-pattern lets autograd record, the recommended arm does not, and the variant uses inference_mode(). Each batch's
loss is kept without its graph, so a graph is gone when the next batch begins.

Theory: a ResNet keeps the input of nearly every layer, many times what one layer holds at a time, so most of the peak
beside the weights is the graph. Convolutions take the time, and recording them takes microseconds each.
"""

import torch

from bench import Needs, Pair, Step, exactly, peak_memory, time
from suites.workloads.practices import Options, Workload, evaluation
from suites.workloads.vision import in_memory


def graph_recorded(w: Workload) -> Step:
    return evaluation(w, Options(history="detached"))


def no_grad(w: Workload) -> Step:
    return evaluation(w, Options(history="detached", no_grad=True))


def inference_mode(w: Workload) -> Step:
    return torch.inference_mode()(no_grad(w))


PAIR = Pair(
    claims=("no-grad-inference",),
    inputs=in_memory,
    anti_pattern=graph_recorded,
    recommended=no_grad,
    variants={"inference_mode": inference_mode},
    same=exactly,
    metrics=(peak_memory, time),
    needs=Needs(packages=("sklearn",)),
)
