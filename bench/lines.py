"""What a run says in the terminal: one line per point as it lands, and the summary at its end."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from bench.claims import Claim
from bench.pair import RECOMMENDED
from bench.results import PointRecord, Run
from bench.usage import State, deprecations, state
from bench.verdict import ClaimVerdict, Controls, Judgement, Verdict, judge_point


def point_line(record: PointRecord, claims: dict[str, Claim], after: str = "") -> str:
    """``tensors/expand-is-free  time ×0.21 [0.20, 0.22] CONFIRMED; … (4 s; 12 left, about 1 min)``."""
    if record.status == "measured":
        claim = next((claims[c] for c in record.claims if c in claims), None)
        judged = [j for j in judge_point(record, claim) if j.arm == RECOMMENDED]
        told = "; ".join(_judged(j) for j in judged) or "nothing to judge"
    else:
        told = f"{record.status.upper()}: {record.reason}"
    details = "; ".join(part for part in (f"{record.seconds:.0f} s" if record.seconds else "", after) if part)
    return f"{record.id}{record.turn}  {told}{f'  ({details})' if details else ''}"


def _judged(j: Judgement) -> str:
    if j.change is None:
        return f"{j.metric.name} {j.why} {j.verdict}"
    return f"{j.metric.name} {change_text(j)} {j.verdict}"


def change_text(j: Judgement) -> str:
    """The estimate with its interval: a factor for ratios, a signed difference in the metric's unit."""
    if j.change is None:
        return ""
    c = j.change
    if j.metric.comparison == "ratio":
        return f"×{math.exp(c.estimate):.3g} [{math.exp(c.low):.3g}, {math.exp(c.high):.3g}]"
    return f"{c.estimate:+.3g} [{c.low:+.3g}, {c.high:+.3g}]{f' {j.metric.unit}' if j.metric.unit else ''}"


def summary_lines(run: Run, verdicts: Sequence[ClaimVerdict], controls: Controls) -> list[str]:
    """The counts per verdict of the claims this run has points for, what the controls say, and every fault."""
    seen = [v for v in verdicts if v.records]
    counts = Counter(v.verdict for v in seen)
    told = ", ".join(f"{counts[v]} {v}" for v in Verdict if counts[v])
    lines = [f"{len(seen)} claims: {told}" if seen else "no claim was measured"]
    if controls.resolution is not None:
        lines.append(f"this run can tell {controls.resolution * 100:.1f} % apart")
    lines += [f"controls failed, timed verdicts are withheld: {fault}" for fault in controls.faults]
    states = Counter(state(u) for u in run.as_written)
    if states:
        lines.append(f"as the documents write it: {', '.join(f'{states[s]} {s}' for s in State if states[s])}")
    for used in run.as_written:
        told = used.outcome if state(used) is State.FAILS else next(iter(deprecations(used)), "")
        if told:
            lines.append(f"  {used.claim} ({used.where}) {state(used)}: {told}")
    lines += [f"BROKEN {p.id}: {p.reason}" for p in run.points if p.status == "broken"]
    return lines
