"""A loss that turned NaN is to be traced in order: the learning rate, the data, logs and roots, then half precision.

Into a training of 200 steps one cause is planted, in its 31st step or from the first. Counted are the training steps
until the cause is named, 200 if nothing is noticed. The anti-pattern looks at the loss every 100 steps, as the field
guide's loop does, and then begins anew with one suspect cured after another, in the document's order. The recommended
arm checks loss and gradients at every step; where they turn bad it looks at the batch, runs that one step again in
anomaly mode, which names the operation, and in full precision; the learning rate is left over. The variant also checks
whether the gradients are all 0.

Theory: gradients too small for half precision are 0, and neither loss nor gradient is ever NaN: no check for NaN finds
that, and the document is wrong to count it among the causes. Too large ones overflow, and are Inf and NaN at once.
"""

from bench import Axis, Pair, Step, count, may_differ, share
from suites.workloads.nan_causes import GUILTY, SUSPECTS, Faulty, Run, faulty


def verdict(f: Faulty, steps: int, suspect: str) -> dict[str, float]:
    return {"steps": steps, "right": float(suspect == GUILTY[f.cause])}


def no_guard(f: Faulty) -> Step:
    def step() -> dict[str, float]:
        run = Run(f)
        seen = next((n for n in range(f.log_every, f.steps + 1, f.log_every) if not run.until(n).isfinite()), None)
        if seen is None:
            return verdict(f, f.steps, "")
        for tried, suspect in enumerate(SUSPECTS, 1):
            if Run(f, cured=suspect).until(seen).isfinite():
                return verdict(f, seen * (1 + tried), suspect)
        return verdict(f, seen * (1 + len(SUSPECTS)), "")

    return step


def checks(f: Faulty, zeros: bool = False) -> Step:
    def step() -> dict[str, float]:
        run = Run(f)
        while run.done < f.steps:
            loss = run.gradients()
            if not run.finite(loss) or (zeros and run.zero()):
                return diagnosed(run)
            run.update()
        return verdict(f, f.steps, "")

    return step


def diagnosed(run: Run) -> dict[str, float]:
    f, steps = run.faulty, run.done + 1
    if not run.batch_is_finite():
        return verdict(f, steps, "data")
    blamed = run.blamed_by_anomaly_mode()
    if "LogBackward" in blamed or "SqrtBackward" in blamed:
        return verdict(f, steps + 1, "log-or-root")
    again = run.again(cured="half")
    if f.half and again.finite(again.gradients()) and not again.zero():
        return verdict(f, steps + 2, "half")
    return verdict(f, steps + 2, "rate")


def checks_and_zeros(f: Faulty) -> Step:
    return checks(f, zeros=True)


def checks_at_every_step(f: Faulty) -> Step:
    return checks(f)


PAIR = Pair(
    claims=("nan-triage",),
    inputs=faulty,
    anti_pattern=no_guard,
    recommended=checks_at_every_step,
    variants={"checks_and_zeros": checks_and_zeros},
    same=may_differ("the steps and the suspect", because="how soon the cause is found is what is counted"),
    metrics=(
        count(lambda r: r["steps"], "steps until the cause is named"),
        share(lambda r: r["right"], "cause named right", better="higher"),
    ),
    axis=Axis("cause", full=("learning-rate", "data", "log", "sqrt", "half-underflow"), outside=("half-overflow",)),
)
