"""Fixing the seeds is said to make a training run repeat itself; on a GPU deterministic algorithms have to join them.

A run trains with a kernel whose additions have no order of their own; what counts is how many later runs end in the
first one's weights, bit for bit. The anti-pattern fixes the seeds, the recommended arm also asks for deterministic
algorithms, and the time says what they cost.

Theory: seeds fix which numbers are drawn, not in which order a CUDA kernel adds them: PyTorch's notes on
reproducibility ask for deterministic algorithms, and for CUBLAS_WORKSPACE_CONFIG.
"""

from bench import Axis, Needs, Pair, Step, may_differ, share, time
from suites.workloads.scattering import Work, weights_of_runs, work
from suites.workloads.seeded import share_repeated


def seeds_alone(w: Work) -> Step:
    return lambda: weights_of_runs(w, deterministic=False)


def seeds_and_deterministic_algorithms(w: Work) -> Step:
    return lambda: weights_of_runs(w, deterministic=True)


PAIR = Pair(
    claims=("fixed-seeds",),
    inputs=work,
    anti_pattern=seeds_alone,
    recommended=seeds_and_deterministic_algorithms,
    same=may_differ("the last bits of the weights", because="the order of additions is what is measured"),
    metrics=(share(share_repeated, "runs that repeat the first", better="higher"), time),
    axis=Axis("kernel", outside=("index-add", "convolution", "linear")),
    needs=Needs(cuda=True),
    environment={"recommended": {"CUBLAS_WORKSPACE_CONFIG": ":4096:8"}},
    seeds=2,
)
