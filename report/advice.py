"""What a reader should change first on this machine, need not bother with, and must not do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bench.verdict import HOLDS, Verdict
from report.rows import ClaimRow, JudgementRow

LARGEST = 8


@dataclass(frozen=True)
class Tip:
    """A claim with the one judgement that says most for or against it."""

    claim: ClaimRow
    judgement: JudgementRow


@dataclass(frozen=True)
class Advice:
    """``first`` are the largest gains, ``needed`` what keeps results right, then no effect, then harm at some point."""

    first: tuple[Tip, ...]
    needed: tuple[Tip, ...]
    no_effect: tuple[Tip, ...]
    backfires: tuple[Tip, ...]


def advice_of(claims: Sequence[ClaimRow]) -> Advice:
    """Each claim that was decided, in the list or lists it belongs to; gains are ordered by what is sure of them."""
    holding = [c for c in claims if c.verdict in HOLDS]
    gains = [Tip(c, best) for c in holding if (best := _largest_gain(c)) is not None]
    gains.sort(key=lambda tip: -_sure_gain(tip.judgement))
    rest = [c for c in holding if all(j.gain is None for j in c.deciding)]
    return Advice(
        first=tuple(gains[:LARGEST]),
        needed=tuple(Tip(c, next(j for j in c.deciding if j.verdict in HOLDS)) for c in rest),
        no_effect=tuple(Tip(c, c.deciding[0]) for c in claims if c.verdict is Verdict.NO_EFFECT and c.deciding),
        backfires=tuple(Tip(c, worst) for c in claims if (worst := _harm(c)) is not None),
    )


def _largest_gain(claim: ClaimRow) -> JudgementRow | None:
    held = [j for j in claim.deciding if j.verdict in HOLDS and j.gain is not None]
    return max(held, key=_sure_gain, default=None)


def _sure_gain(j: JudgementRow) -> float:
    """The interval's weaker end."""
    return j.gain[1] if j.gain is not None else 0.0


def _harm(claim: ClaimRow) -> JudgementRow | None:
    """The worst of the deciding judgements that backfire."""
    harmful = [j for j in claim.deciding if j.verdict is Verdict.BACKFIRES]
    return min(harmful, key=lambda j: j.gain[0] if j.gain is not None else 0.0, default=None)
