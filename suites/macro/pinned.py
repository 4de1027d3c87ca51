"""Pinned memory and non_blocking copies in the training of a whole network on photographs that workers load.

The anti-pattern copies each batch from pageable memory and waits for it; in the recommended arm the loader pins the
batches and the training does not wait. Both load with workers and keep no number of the loss, or the host would wait
for the GPU all the same.

Theory: a batch of 64 photographs has 38 MB, which take some milliseconds of PCIe, while a ResNet-50 computes for tens
of milliseconds on them and workers decode for as long. So what can be gained is a few percent, if the rest keeps up.
"""

from bench import Needs, Pair, Step, time, utilisation, within
from suites.workloads.practices import Options, Workload, training
from suites.workloads.vision import from_files


def pageable_and_blocking(w: Workload) -> Step:
    return training(w, Options(workers=True, history="detached", log_every=100))


def pinned_and_non_blocking(w: Workload) -> Step:
    return training(w, Options(workers=True, history="detached", log_every=100, pinned=True))


PAIR = Pair(
    claims=("pinned-non-blocking",),
    inputs=from_files,
    anti_pattern=pageable_and_blocking,
    recommended=pinned_and_non_blocking,
    same=within(rtol=3e-2, atol=1e-2),
    metrics=(time, utilisation),
    needs=Needs(cuda=True, packages=("sklearn",)),
    cores="all",
    inputs_read="at set-up",
)
