"""The page: one HTML file that needs nothing else, made from a view."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from bench.verdict import Verdict
from report.code import PairCode
from report.curves import chart as curve_chart
from report.curves import last_of
from report.escape import plain
from report.facts import confidence
from report.forest import forest
from report.history_rows import Lately
from report.ladder import chart as ladder_chart
from report.marks import MARKS
from report.method import Method
from report.power import chart as power_chart
from report.power import told
from report.rows import ClaimRow
from report.scatter import chart as scatter
from report.scatter import deployment_dots, precision_dots
from report.side_by_side import SideBySide
from report.stayed import stayed
from report.strip import Strip, svg
from report.sweep import chart as sweep_chart
from report.tables import measured_lines
from report.view import View
from report.words import Words

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


@dataclass(frozen=True)
class Latest:
    """What changed lately on the run's machine, and the page that tells more."""

    href: str
    told: Lately


@dataclass(frozen=True)
class Page:
    """What stands on a run's page; ``data_file`` is where its raw samples lie beside it.

    ``method`` is what is known of the method itself, not of the run.
    """

    view: View
    others: tuple[Link, ...] = ()
    left_out: tuple[str, ...] = ()
    translation: Translation | None = None
    data_file: str = ""
    beside: SideBySide | None = None
    latest: Latest | None = None
    method: Method = field(default_factory=Method)


def page(of: Page, code: Mapping[str, PairCode] | None = None) -> str:
    """The whole page of one run, with the code of its pairs by their ids."""
    view = of.view
    script = (TEMPLATES / "page.js").read_text(encoding="utf-8")
    charted = {c.id for c in view.charted}
    deployed, halved = deployment_dots(view.claims), precision_dots(view.claims, view.words)
    template = environment().get_template("page.html.j2")
    return template.render(
        view=view,
        words=view.words,
        facts=view.facts,
        # The chart escapes what it shows itself.
        chart=Markup(forest(view.claims, view.words)),
        phone_chart=Markup(forest(view.claims, view.words, phone=True)),
        not_charted=[c.id for c in view.claims if c.deciding and c.id not in charted],
        confidence=confidence(),
        deployed=deployed,
        deployment_chart=Markup(scatter(deployed, "deployment", view.words.deployment, view.words.smaller, view.words)),
        halved=halved,
        precision_chart=Markup(scatter(halved, "precision", view.words.precision, view.words.leaner, view.words)),
        sweep_charts={c.id: _sweep_charts(c, view.words) for c in view.claims if c.sweeps},
        ladder_charts=[Markup(ladder_chart(one, f"ladder-{i}", view.words)) for i, one in enumerate(view.ladders)],
        curve_charts=[Markup(curve_chart(one, f"curves-{i}", view.words)) for i, one in enumerate(view.curves)],
        last_of=last_of,
        power_chart=Markup(power_chart(of.method.power, view.words)),
        powers=[told(p) for p in of.method.power],
        stayed=[stayed(s, view.words) for s in of.method.series],
        marks=list(MARKS.items()),
        measured_lines=measured_lines,
        slug=_slug,
        strip=_strip,
        source=_source,
        code=code or {},
        translation=of.translation,
        data_file=of.data_file,
        beside=of.beside,
        latest=of.latest,
        contents=_contents(of),
        # Ours, and the only script that the page's policy lets run.
        script=Markup(script),
        script_hash=_hash(f"\n{script}\n"),
        others=of.others,
        left_out=of.left_out,
    )


def _contents(of: Page) -> list[tuple[str, str]]:
    """The page's larger sections that are there, by their ids."""
    view, words = of.view, of.view.words
    found = (
        ("_chart", words.contents_chart, bool(view.charted)),
        ("_ladder", words.ladder, bool(view.ladders)),
        ("_tables", words.document_tables, bool(view.tables)),
        ("_claims", words.the_claims, True),
        ("_details", words.details, True),
        ("_machines", words.side_by_side, of.beside is not None),
        ("_as-written", words.as_written, bool(view.as_written)),
        ("_contradictions", words.contradictions, bool(view.contradictions)),
        ("_absent", words.absent, True),
        ("_machine", words.machine, True),
        ("_method", words.method, True),
    )
    return [(id_, title) for id_, title, there in found if there]


def _sweep_charts(claim: ClaimRow, words: Words) -> list[Markup]:
    return [Markup(sweep_chart(one, f"sweep-{claim.id}-{i}", words)) for i, one in enumerate(claim.sweeps)]


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
def environment() -> Environment:
    """The templates, each compiled once."""
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
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    # The space after our own comma is meant.
    return f"{plain(value)} " if value.endswith(" ") else plain(value)
