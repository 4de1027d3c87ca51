"""All the advice at once, and each piece of it alone among the others: a ResNet learns photographs from JPEG files.

The anti-pattern follows none of the practices and the recommended arm all of them. The ladder adds one at a time, those
of the documents in their order and then those beyond; each further arm lacks one of the whole (the one that lacks the
last is the ladder's top but one). A step is a pass over a few batches, loading, log and history included. torch.compile
is left out, for which the other arms would wait. Nothing here judges the claims of single practices.

Theory: the gains of practices that mend one bottleneck do not multiply. What loads faster shows only while loading is
what the rest waits for; so a practice may be worth nothing alone and much in the end, or the other way round.
"""

from dataclasses import replace

import torch

from bench import Axis, Needs, Pair, peak_memory, time, within
from suites.workloads.climbing import Practices, following, lacking, rungs
from suites.workloads.practices import SLEEPING_THREADS
from suites.workloads.vision import from_files

ANYWHERE: Practices = {
    "none_gradients": {"none_gradients": True},
    "log_every_hundredth": {"log_every": 100},
    "channels_last": {"channels_last": True},
    "fused": {"fused": True},
}
ON_CPU: Practices = {"workers": {"workers": True}, **ANYWHERE}
ON_CUDA: Practices = {
    "pinned": {"pinned": True},
    "half_precision": {"precision": torch.float16},
    "workers": {"workers": True},
    "detached_history": {"history": "detached"},
    "cudnn_benchmark": {"cudnn_benchmark": True},
    **ANYWHERE,
}

# With workers a batch more or less may lie in the loader's queue when memory is at its highest.
PEAK = replace(peak_memory, exact=False)
VARIANTS = {**rungs(ON_CPU), **lacking(ON_CPU)}

LADDER = Pair(
    claims=("all-advice",),
    inputs=from_files,
    anti_pattern=following({}),
    recommended=following(ON_CPU),
    variants=VARIANTS,
    ladder=tuple(rungs(ON_CPU)),
    ladder_top=list(ON_CPU)[-1],
    same=within(rtol=3e-2, atol=1e-2),
    metrics=(time, PEAK),
    axis=Axis("training", full=("photographs",)),
    needs=Needs(cpu=True, packages=("sklearn",)),
    cores="all",
    inputs_read="at set-up",
    environment=dict.fromkeys(("anti_pattern", "recommended", *VARIANTS), SLEEPING_THREADS),
    timeout=120.0,
)
LADDER_CUDA = Pair(
    claims=("all-advice",),
    inputs=from_files,
    anti_pattern=following({}),
    recommended=following(ON_CUDA),
    variants={**rungs(ON_CUDA), **lacking(ON_CUDA)},
    ladder=tuple(rungs(ON_CUDA)),
    ladder_top=list(ON_CUDA)[-1],
    # Half precision changes the losses by design.
    same=within(rtol=5e-2, atol=5e-2),
    metrics=(time, PEAK),
    axis=Axis("training", full=("photographs",)),
    needs=Needs(cuda=True, packages=("sklearn",)),
    name="ladder-cuda",
    cores="all",
    inputs_read="at set-up",
    timeout=120.0,
)
