"""cudnn.benchmark in the training of a whole network: a ResNet on batches of photographs of one shape.

Theory: each convolution's algorithms are tried once, in the first step, so what counts is how good cuDNN's own guess is
for the common shapes of a ResNet, and how many steps pay for the search.
"""

from bench import Needs, Pair, Step, first_step, peak_memory, time, within
from suites.workloads.practices import Options, Workload, training
from suites.workloads.vision import in_memory


def benchmark_off(w: Workload) -> Step:
    return training(w, Options())


def benchmark_on(w: Workload) -> Step:
    return training(w, Options(cudnn_benchmark=True))


PAIR = Pair(
    claims=("cudnn-benchmark",),
    inputs=in_memory,
    anti_pattern=benchmark_off,
    recommended=benchmark_on,
    same=within(rtol=3e-2, atol=1e-2),
    metrics=(time, first_step, peak_memory),
    needs=Needs(cuda=True, packages=("sklearn",)),
)
