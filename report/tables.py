"""The report's rows as DataFrames, for whoever wants to go on computing. Nothing of the report is made from these."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pandas as pd

from bench.claims import Claims
from bench.results import Run
from report.escape import clip
from report.rows import ClaimRow, JudgementRow
from report.view import View, look
from report.words import Lang

_CLAIMS = ["claim", "topic", "where", "advice", "promised", "measured", "verdict", "why", "command"]
_NUMBERS = ["anti_pattern", "own", "estimate", "low", "high", "times_better", "times_better_low", "times_better_high"]
_JUDGEMENTS = [
    *("claim", "decides", "beside", "point", "device", "arm", "metric"),
    *_NUMBERS,
    *("zone", "n", "p_value", "change", "verdict", "why"),
]
LINE = 120
_ABSENT = ["point", "device", "status", "reason"]
_USAGES = ["claim", "where", "state", "told", "today"]


def tables(run: Run, claims: Claims, lang: Lang = "en") -> dict[str, pd.DataFrame]:
    """``claims``, ``judgements``, ``controls``, ``absent``, ``as_written``: each with all its columns, rows or not."""
    return tables_of(look(run, claims, lang))


def tables_of(view: View) -> dict[str, pd.DataFrame]:
    """The same from a run that was looked at already."""
    judged = [_judgement(c.id, j) for c in view.claims for j in (*c.deciding, *c.beside)]
    controls = [_judgement("", j) for j in view.facts.controls.rows]
    usages = [(u.claim, u.where, u.state.value, u.told, u.modern) for u in view.as_written]
    absent = [(r.id, r.device, r.status, r.reason) for r in view.absent]
    return {
        "claims": pd.DataFrame([_claim(c) for c in view.claims], columns=_CLAIMS),
        "judgements": pd.DataFrame(judged, columns=_JUDGEMENTS),
        "controls": pd.DataFrame(controls, columns=_JUDGEMENTS),
        "absent": pd.DataFrame(absent, columns=_ABSENT),
        "as_written": pd.DataFrame(usages, columns=_USAGES),
    }


def as_csv(views: Sequence[View]) -> str:
    """One line per judgement of every run, with the run's machine, id, device and torch version in front."""
    frames = [_with_run(tables_of(v)["judgements"], v.run) for v in views]
    return str(pd.concat(frames, ignore_index=True).to_csv(index=False, lineterminator="\n"))


def as_json(views: Sequence[View]) -> str:
    """The tables of every run, as lists of records."""
    found = [
        {
            "run": v.run.id,
            "machine": v.run.machine.model_dump(),
            "environment": v.run.environment.model_dump(),
            **{name: json.loads(frame.to_json(orient="records")) for name, frame in tables_of(v).items()},
        }
        for v in views
    ]
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def _with_run(frame: pd.DataFrame, run: Run) -> pd.DataFrame:
    named = {"machine": run.machine.name, "run": run.id, "device_of_run": run.device, "torch": run.environment.torch}
    return pd.concat([pd.DataFrame(named, index=frame.index), frame], axis="columns")


def measured_lines(claim: ClaimRow) -> list[str]:
    """What decides a claim, a line each, with the point in front where there are several."""
    if len(claim.deciding) == 1:
        return [clip(claim.deciding[0].told, LINE)]
    shown = [(j.where, j.metric) for j in claim.deciding]
    distinct = all(where for where, _ in shown) and len(set(shown)) == len(shown)
    named = [j.where if distinct else j.point for j in claim.deciding]
    return [f"{name}: {clip(j.told, LINE)} {j.mark.symbol}" for name, j in zip(named, claim.deciding, strict=True)]


def _claim(c: ClaimRow) -> tuple[str, ...]:
    measured = "; ".join(measured_lines(c))
    return c.id, c.topic, c.where, c.advice, c.promised, measured, c.verdict.value, c.why, c.command


def _judgement(claim: str, j: JudgementRow) -> tuple[Any, ...]:
    change = (j.change.estimate, j.change.low, j.change.high) if j.change else (None,) * 3
    return (
        *(claim, not j.beside, j.beside, j.point, j.device, j.arm, j.metric),
        *(j.level_values or (None, None)),
        *change,
        *(j.gain or (None,) * 3),
        *(j.zone, j.n, j.p_value, j.told, j.verdict.value, j.why),
    )
