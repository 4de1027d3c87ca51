"""The history page, in one language, and the same changes as JSON for machines."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from report.cores import on_all_cores
from report.history import Change, MachineHistory, Track
from report.history_chart import chart, chart_body
from report.history_rows import MachineRows
from report.page import Translation, environment
from report.words import Words


def history_charts(machines: Sequence[MachineRows]) -> dict[str, str]:
    """Every picture by its track's id, without words: one serves all languages."""
    rows = [row for machine in machines for row in machine.changed if row.charted]
    return dict(zip((row.id for row in rows), on_all_cores(chart_body, rows, chunk=2), strict=True))


def history_page(
    machines: Sequence[MachineRows],
    charts: Mapping[str, str],
    words: Words,
    pages: Mapping[str, str] | None = None,
    translation: Translation | None = None,
    left_out: Sequence[str] = (),
) -> str:
    """The whole page; ``pages`` are those of each machine's newest run, by the machine's name, if there are any."""
    # A chart escapes what it shows itself.
    drawn = {row.id: Markup(chart(row, charts.get(row.id, ""), words)) for one in machines for row in one.changed}
    pages = pages or {}
    return (
        environment()
        .get_template("history.html.j2")
        .render(
            machines=machines,
            charts=drawn,
            words=words,
            pages=pages,
            index=next((name for name in pages.values() if name.startswith("index.")), ""),
            translation=translation,
            left_out=left_out,
        )
    )


def history_json(histories: Sequence[MachineHistory]) -> str:
    """Every pair that changed on every machine, with all its readings.

    Estimates and both ends of their intervals are in logs of ratios or in the metric's unit.
    """
    found = [
        {
            "machine": history.machine.model_dump(),
            "runs": [{"id": r.id, "started": r.started, "torch": r.environment.torch} for r in history.runs],
            "changed": [_track(track, history) for track in history.changed],
        }
        for history in histories
    ]
    return json.dumps(found, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _track(track: Track, history: MachineHistory) -> dict[str, Any]:
    readings = zip(track.runs, track.readings, strict=True)
    return {
        **track.key._asdict(),
        "comparison": track.gauge.comparison,
        "changes": [_change(change, history) for change in track.changes],
        "readings": [
            {"run": history.runs[i].id, "change": _finite(r.change) if r.change else None, "verdict": r.verdict}
            for i, r in readings
        ],
    }


def _change(change: Change, history: MachineHistory) -> dict[str, Any]:
    step = change.step
    return {
        "last_run": history.runs[change.last].id,
        "run": history.runs[change.at].id,
        "before": _finite(step.before) if step else None,
        "after": _finite(step.after) if step else None,
        "verdict_before": change.before,
        "verdict_after": change.after,
        "differences": [{"what": name, "before": one, "after": other} for name, one, other in change.around],
    }


def _finite(level: tuple[float, float, float]) -> list[float | None]:
    return [v if math.isfinite(v) else None for v in level]
