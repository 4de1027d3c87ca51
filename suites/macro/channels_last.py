"""The channels-last layout in the training of a whole network: a ResNet on photographs.

Both arms train in float32; the recommended arm converts the weights once and each batch as it comes. Small
images have 64 pixels a side on a CPU and 224 on a GPU, large ones three times as many.

Theory: tensor cores want the channels of a pixel side by side. Without the layout cuDNN, and oneDNN on a CPU, reorder
what they are given, or use kernels for the other layout; so the gain is what the library cannot do behind the scenes.
The size decides: at the CPU's small one, in batches of 4, weights outweigh images, and the gradients of the last
layers, which come in oneDNN's own layout, are copied into channels-last at every step: an eighth of the time where it
was profiled. One convolution of 64 channels on larger images was faster in the layout there.
"""

from bench import Axis, Needs, Pair, Setup, Step, peak_memory, time, within
from suites.workloads.practices import Options, Workload, training
from suites.workloads.vision import in_memory, larger_in_memory


def photographs(setup: Setup) -> Workload:
    return (larger_in_memory if setup.value == "large" else in_memory)(setup)


def channels_first(w: Workload) -> Step:
    return training(w, Options())


def channels_last(w: Workload) -> Step:
    return training(w, Options(channels_last=True))


PAIR = Pair(
    claims=("channels-last",),
    inputs=photographs,
    anti_pattern=channels_first,
    recommended=channels_last,
    same=within(rtol=3e-2, atol=1e-2),
    metrics=(time, peak_memory),
    axis=Axis("images", full=("small", "large")),
    needs=Needs(packages=("sklearn",)),
)
