"""The page: one HTML file that needs nothing else, made from a view."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from bench.verdict import Verdict
from report.code import PairCode
from report.escape import plain
from report.facts import confidence
from report.forest import forest
from report.ladder import chart as ladder_chart
from report.marks import MARKS
from report.scatter import chart as scatter
from report.scatter import dots
from report.side_by_side import SideBySide
from report.strip import Strip, svg
from report.tables import measured_lines
from report.view import View

TEMPLATES = Path(__file__).resolve().parent / "templates"


@dataclass(frozen=True)
class Link:
    """Another page of the same report."""

    href: str
    text: str


@dataclass(frozen=True)
class Translation:
    """The same page in the other language."""

    href: str
    lang: str


def page(
    view: View,
    others: Sequence[Link] = (),
    left_out: Sequence[str] = (),
    translation: Translation | None = None,
    code: Mapping[str, PairCode] | None = None,
    data_file: str = "",
    beside: SideBySide | None = None,
) -> str:
    """The whole page of one run. ``data_file`` is where its raw samples lie beside the page."""
    script = (TEMPLATES / "page.js").read_text(encoding="utf-8")
    charted = {c.id for c in view.charted}
    deployed = dots(view.claims)
    template = _environment().get_template("page.html.j2")
    return template.render(
        view=view,
        words=view.words,
        facts=view.facts,
        # The chart escapes what it shows itself.
        chart=Markup(forest(view.claims, view.words)),
        not_charted=[c.id for c in view.claims if c.deciding and c.id not in charted],
        confidence=confidence(),
        deployed=deployed,
        deployment_chart=Markup(scatter(deployed, view.words)),
        ladder_charts=[Markup(ladder_chart(one, f"ladder-{i}", view.words)) for i, one in enumerate(view.ladders)],
        marks=list(MARKS.items()),
        measured_lines=measured_lines,
        slug=_slug,
        strip=_strip,
        source=_source,
        code=code or {},
        translation=translation,
        data_file=data_file,
        beside=beside,
        # Ours, and the only script that the page's policy lets run.
        script=Markup(script),
        script_hash=_hash(f"\n{script}\n"),
        others=others,
        left_out=left_out,
    )


def _slug(verdict: Verdict) -> str:
    return verdict.value.lower().replace(" ", "-")


def _strip(strip: Strip) -> Markup:
    # It escapes its label itself.
    return Markup(svg(strip))


def _source(text: str) -> Markup:
    """Code with its lines kept, which ``_shown`` would join."""
    return Markup(escape(text))


def _hash(script: str) -> str:
    """A script's name in a Content-Security-Policy."""
    return f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}"


@cache
def _environment() -> Environment:
    """Made once, since it keeps the templates that it has compiled."""
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def _shown(value: object) -> object:
    """Nothing invisible or direction-changing reaches the page, wherever it came from."""
    return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value
