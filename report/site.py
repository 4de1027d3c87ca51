"""The folder that is published: a page per run in both languages, the raw samples, and the tables for machines."""

from __future__ import annotations

from collections.abc import Sequence

from bench.claims import Claims
from bench.results import to_json
from report.code import code_by_pair
from report.markdown import document
from report.page import Link, Translation, page
from report.side_by_side import side_by_side
from report.tables import as_csv, as_json
from report.view import View, translated
from report.words import Lang


def site(views: Sequence[View], claims: Claims, left_out: Sequence[str]) -> dict[str, str]:
    """Every file's text by its name. The first view is the index; all are in its language, and in the other one too."""
    own = views[0].words.lang
    other: Lang = "en" if own == "zh" else "zh"
    files = {
        "report.md": document(views, left_out),
        "report.csv": as_csv(views),
        "report.json": as_json(views),
        **{data_name(v): to_json(v.run) for v in views},
    }
    code = code_by_pair()
    for lang, shown in ((own, list(views)), (other, [translated(v, claims, other) for v in views])):
        names = [page_name(v, i, lang, own) for i, v in enumerate(shown)]
        table = side_by_side(shown)
        for i, view in enumerate(shown):
            others = [Link(n, v.facts.run_line) for n, v in zip(names, shown, strict=True) if v is not view]
            twin = other if lang == own else own
            translation = Translation(page_name(view, i, twin, own), twin)
            files[names[i]] = page(
                view, others, left_out, translation, code, data_name(view), table if i == 0 else None
            )
    return files


def page_name(view: View, index: int, lang: Lang, own: Lang) -> str:
    """``index.html``, ``index.zh.html``; a run's own name is safe, since its document was checked for it."""
    stem = "index" if index == 0 else f"{view.run.machine.name}-{view.run.id}"
    return f"{stem}.html" if lang == own else f"{stem}.{lang}.html"


def data_name(view: View) -> str:
    """The run document beside the pages."""
    return f"{view.run.machine.name}-{view.run.id}.json"
