"""The page: one HTML file that needs nothing else, made from a view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from report.charts import forest
from report.escape import plain
from report.facts import confidence
from report.marks import MARKS
from report.tables import measured_lines
from report.view import View

TEMPLATES = Path(__file__).resolve().parent / "templates"


@dataclass(frozen=True)
class Link:
    """Another page of the same report."""

    href: str
    text: str


def page(view: View, others: Sequence[Link] = (), left_out: Sequence[str] = ()) -> str:
    """The whole page of one run."""
    charted = {c.id for c in view.charted}
    template = _environment().get_template("page.html.j2")
    return template.render(
        view=view,
        words=view.words,
        facts=view.facts,
        # The chart escapes what it shows itself.
        chart=Markup(forest(view.claims, view.words)),
        not_charted=[c.id for c in view.claims if c.deciding and c.id not in charted],
        confidence=confidence(),
        marks=list(MARKS.items()),
        measured_lines=measured_lines,
        others=others,
        left_out=left_out,
    )


def _environment() -> Environment:
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
