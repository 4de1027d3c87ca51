"""All the advice at once, and each piece of it alone among the others: a ResNet learns photographs from JPEG files.

The anti-pattern follows none of the practices and the recommended arm all of them. The ladder adds one at a time, those
of the documents in their order and then those beyond; each further arm lacks one of the whole (the one that lacks the
last is the ladder's top but one). A step is a pass over a few batches, loading, log and history included. torch.compile
is left out, for which the other arms would wait. Nothing here judges the claims of single practices.

Theory: the gains of practices that mend one bottleneck do not multiply. What loads faster shows only while loading is
what the rest waits for; so a practice may be worth nothing alone and much in the end, or the other way round.
"""

from bench import Axis, Needs, Pair, time, within
from suites.workloads.climbing import ANYWHERE, PEAK_WITH_WORKERS, Practices, following, lacking, rungs
from suites.workloads.practices import SLEEPING_THREADS
from suites.workloads.vision import from_files

PRACTICES: Practices = {"workers": {"workers": True}, **ANYWHERE}
VARIANTS = {**rungs(PRACTICES), **lacking(PRACTICES)}

PAIR = Pair(
    claims=("all-advice",),
    inputs=from_files,
    anti_pattern=following({}),
    recommended=following(PRACTICES),
    variants=VARIANTS,
    ladder=tuple(rungs(PRACTICES)),
    ladder_top=list(PRACTICES)[-1],
    same=within(rtol=3e-2, atol=1e-2),
    metrics=(time, PEAK_WITH_WORKERS),
    axis=Axis("training", full=("photographs",)),
    needs=Needs(cpu=True, packages=("sklearn",)),
    cores="all",
    inputs_read="at set-up",
    environment=dict.fromkeys(("anti_pattern", "recommended", *VARIANTS), SLEEPING_THREADS),
    timeout=120.0,
)
