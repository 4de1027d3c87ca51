"""torch.compile in the training of a whole network: a transformer encoder on lines of text padded to one length.

At the point ``kept`` what was compiled is kept for later processes, as torch does by itself, so that the first step is
that of a run which was made before; at ``fresh`` every process compiles anew. A tiny run only traces.

Theory: compiling fuses the operations between matrix products, which spares memory traffic and, on a GPU, launches; the
products stay what they are. The first step pays for it, and divided by what a step gains it is the number of steps
after which compiling has paid. Lengths that vary would be compiled again, which data/pad-to-batch-max counts. A CPU has
no launches to spare: profiled here on one core, products and attention were the same kernels in both arms, and the
loops that inductor wrote for what lies between took a third of the step, more than torch's own kernels for it took.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from bench import Axis, Needs, Pair, Setup, Step, first_step, peak_memory, time, within
from suites.workloads.cache import cache_folder, versioned
from suites.workloads.practices import Options, Workload, training
from suites.workloads.text import lines
from suites.workloads.texts import PACKAGES


@dataclass(frozen=True)
class Compiling:
    """A workload, what compiles it, and where the compiled code is kept."""

    workload: Workload
    backend: str
    cache: Path


def compiling(setup: Setup) -> Compiling:
    kept = cache_folder() / versioned("compiled")
    backend = "eager" if setup.smoke else "inductor"
    return Compiling(lines(setup), backend, setup.folder if setup.value == "fresh" else kept)


def as_it_is(c: Compiling) -> Step:
    return training(c.workload, Options())


def compiled(c: Compiling) -> Step:
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(c.cache)
    return training(c.workload, Options(compiled=c.backend))


PAIR = Pair(
    claims=("torch-compile",),
    inputs=compiling,
    anti_pattern=as_it_is,
    recommended=compiled,
    same=within(rtol=1e-2, atol=1e-3),
    metrics=(time, first_step, peak_memory),
    axis=Axis("cache", full=("kept", "fresh"), quick=("kept",)),
    needs=Needs(packages=PACKAGES),
    timeout=300.0,
)
