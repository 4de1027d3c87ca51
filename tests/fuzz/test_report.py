"""A run that can be read is left out with a reason or shown, in every output, with nothing in it but text."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bench.claims import Claims
from bench.compare import IncomparableError, compare
from bench.results import Run, to_json
from report import compare_outputs
from report.markdown import document, headline
from report.page import Link, Page, page
from report.select import select
from report.tables import as_csv, as_json
from report.view import look
from report.words import LANGS, Lang
from tests.fuzz.mutations import EVIL, Mutant, fuzzed, mutated, small
from tests.fuzz.test_result_files import is_usable
from tests.report.plausible import plausible_run

DOCUMENT = small(json.loads(to_json(plausible_run())))
GOOD = Run.model_validate(DOCUMENT)


class Loaded(HTMLParser):
    """What a page does beside showing text: the tags that evil text could bring, and what they would run."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.scripts = 0
        self.evil: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        for name, value in attrs:
            if name.startswith("on") or (name in ("id", "class", "style") and "evil" in (value or "")):
                self.evil.append(f"{tag} {name}={value}")
            if name in ("href", "src") and "://evil" in (value or "") and not (value or "").startswith("#"):
                self.evil.append(f"{tag} {name}={value}")


def check_page(page: str) -> None:
    found = Loaded(page)
    assert found.scripts == 1
    assert found.evil == []
    assert "\u202e" not in page
    assert "\x1b" not in page


def check_markdown(text: str) -> None:
    assert "<b id" not in text
    assert "![evil" not in text
    assert "\u202e" not in text
    assert "\x1b" not in text


def refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def check_everything(run: Run, claims: Claims, lang: Lang) -> None:
    view = look(run, claims, lang)
    check_page(page(Page(view, (Link("other.html", view.facts.run_line),), (EVIL,))))
    check_markdown(document([view], [EVIL]))
    check_markdown(headline([view]))
    as_csv([view])
    for text in (as_json([view]), to_json(run)):
        json.loads(text, parse_constant=refuse)
    for base, new in ((GOOD, run), (run, GOOD), (run, run)):
        try:
            found = compare(base, new, claims)
        except IncomparableError:
            continue
        compare_outputs.as_text(found)
        check_markdown(compare_outputs.as_markdown(found))
        json.loads(compare_outputs.as_json(found), parse_constant=refuse)


@given(mutant=mutated(DOCUMENT, same_type=True), lang=st.sampled_from(LANGS))
@fuzzed(12)
def test_a_run_with_other_values(mutant: Mutant, lang: Lang, claims: Claims, folder: Path) -> None:
    is_shown_or_left_out(mutant, lang, claims, folder)


@given(mutant=mutated(DOCUMENT), lang=st.sampled_from(LANGS))
@fuzzed(12)
def test_a_mutated_run(mutant: Mutant, lang: Lang, claims: Claims, folder: Path) -> None:
    is_shown_or_left_out(mutant, lang, claims, folder)


def is_shown_or_left_out(mutant: Mutant, lang: Lang, claims: Claims, folder: Path) -> None:
    (path := folder / "run.json").write_text(json.dumps(mutant.document))
    try:
        run = Run.model_validate_json(path.read_bytes())
    except ValidationError:
        return
    is_usable(run, claims, folder)
    chosen = select([path], folder, claims, lang)
    assert chosen.views or chosen.left_out
    if chosen.views:
        check_everything(run, claims, lang)
