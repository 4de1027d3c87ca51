"""The channels-last layout in the training of a whole network in half precision: a ResNet on photographs.

Both arms train in float16 on a GPU, of which PyTorch's tutorial on the layout expects the most; the recommended arm
converts the weights once and each batch as it comes.

Theory: tensor cores want the channels of a pixel side by side. Without the layout cuDNN reorders what it is given, or
uses kernels for the other layout; so the gain is what the library cannot do behind the scenes.
"""

import torch

from bench import Needs, Pair, Step, peak_memory, time, within
from suites.workloads.practices import Options, Workload, training
from suites.workloads.vision import in_memory


def channels_first(w: Workload) -> Step:
    return training(w, Options(precision=torch.float16))


def channels_last(w: Workload) -> Step:
    return training(w, Options(precision=torch.float16, channels_last=True))


PAIR = Pair(
    claims=("channels-last",),
    inputs=in_memory,
    anti_pattern=channels_first,
    recommended=channels_last,
    same=within(rtol=5e-2, atol=5e-2),
    metrics=(time, peak_memory),
    needs=Needs(cuda=True, packages=("sklearn",)),
)
