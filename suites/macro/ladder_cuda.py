"""All the advice at once on a GPU, and each piece of it alone among the others: a ResNet learns photographs from files.

The anti-pattern follows none of the practices and the recommended arm all of them. The ladder adds one at a time, those
of the documents in their order, with half precision, pinned memory and the cuDNN autotuner, and then those beyond; each
further arm lacks one of the whole. A step is a pass over a few batches, loading, log and history included;
torch.compile is left out, for which the other arms would wait. Nothing here judges the claims of single practices.

Theory: the gains of practices that mend one bottleneck do not multiply. What loads faster shows only while loading is
what the rest waits for; so a practice may be worth nothing alone and much in the end, or the other way round.
"""

import torch

from bench import Axis, Needs, Pair, time, within
from suites.workloads.climbing import ANYWHERE, PEAK_WITH_WORKERS, Practices, following, lacking, rungs
from suites.workloads.vision import from_files

PRACTICES: Practices = {
    "pinned": {"pinned": True},
    "half_precision": {"precision": torch.float16},
    "workers": {"workers": True},
    "detached_history": {"history": "detached"},
    "cudnn_benchmark": {"cudnn_benchmark": True},
    **ANYWHERE,
}

PAIR = Pair(
    claims=("all-advice",),
    inputs=from_files,
    anti_pattern=following({}),
    recommended=following(PRACTICES),
    variants={**rungs(PRACTICES), **lacking(PRACTICES)},
    ladder=tuple(rungs(PRACTICES)),
    ladder_top=list(PRACTICES)[-1],
    # Half precision changes the losses by design.
    same=within(rtol=5e-2, atol=5e-2),
    metrics=(time, PEAK_WITH_WORKERS),
    axis=Axis("training", full=("photographs",)),
    needs=Needs(cuda=True, packages=("sklearn",)),
    cores="all",
    inputs_read="at set-up",
    timeout=120.0,
)
