"""All the advice at once, and each piece of it alone among the others: a transformer encoder learns lines of text.

The ladder adds padding to the batch's longest line, gradients set to None, a log for every hundredth batch, and the
fused AdamW; each further arm lacks one of the whole. Nothing here judges the claims of single practices.

Theory: padding decides how much there is to compute, and so what share of a step the update of the weights is. The
optimizer's practices should therefore be worth more with the tight padding than without it.
"""

from bench import Axis, Needs, Pair, peak_memory, time, within
from suites.workloads.climbing import Practices, following, lacking, rungs
from suites.workloads.text import lines
from suites.workloads.texts import PACKAGES

PRACTICES: Practices = {
    "padding_to_the_batch": {"padded_to_batch": True},
    "none_gradients": {"none_gradients": True},
    "log_every_hundredth": {"log_every": 100},
    "fused": {"fused": True},
}

PAIR = Pair(
    claims=("all-advice",),
    inputs=lines,
    anti_pattern=following({}),
    recommended=following(PRACTICES),
    variants={**rungs(PRACTICES), **lacking(PRACTICES)},
    ladder=tuple(rungs(PRACTICES)),
    ladder_top=list(PRACTICES)[-1],
    same=within(rtol=1e-3, atol=1e-4),
    metrics=(time, peak_memory),
    axis=Axis("training", full=("text",)),
    needs=Needs(packages=PACKAGES),
)
