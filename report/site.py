"""The folder that is published: a page per run in both languages, the history, the raw samples, tables for machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from bench.claims import Claims
from bench.results import to_json
from report.code import code_by_pair
from report.cores import on_all_cores
from report.digest import Digest
from report.history import MachineHistory, histories
from report.history_page import history_charts, history_json, history_page
from report.history_rows import lately, machine_rows
from report.markdown import document
from report.method import Method
from report.page import Latest, Link, Page, Translation, page
from report.side_by_side import side_by_side
from report.tables import as_csv, as_json
from report.view import View, translated
from report.words import LANGS, Lang, words_of


def site(
    views: Sequence[View],
    claims: Claims,
    left_out: Sequence[str],
    found: Sequence[Digest] = (),
    method: Method | None = None,
) -> dict[str, str]:
    """Every file's text by its name. The first view is the index; all are in its language, and in the other one too.

    ``found`` are the digests of all runs, oldest first; machines with two or more have a history. ``method`` is what is
    known of how far they can be trusted.
    """
    own = views[0].words.lang
    other: Lang = "en" if own == "zh" else "zh"
    over_time = histories(found)
    by_machine = {history.machine.name: history for history in over_time}
    files = {
        "report.md": document(views, left_out),
        "report.csv": as_csv(views),
        "report.json": as_json(views),
        **{data_name(v): to_json(v.run) for v in views},
        **history_files(over_time, own, left_out, _stems(views)),
    }
    pages: dict[str, Page] = {}
    for lang, shown in ((own, list(views)), (other, [translated(v, claims, other) for v in views])):
        names = [page_name(v, i, lang, own) for i, v in enumerate(shown)]
        table = side_by_side(shown)
        for i, view in enumerate(shown):
            twin = other if lang == own else own
            pages[names[i]] = Page(
                view,
                tuple(Link(n, v.facts.run_line) for n, v in zip(names, shown, strict=True) if v is not view),
                tuple(left_out),
                Translation(page_name(view, i, twin, own), twin),
                data_name(view),
                table if i == 0 else None,
                _latest(view, by_machine.get(view.run.machine.name), own),
                method or Method(),
            )
    texts = on_all_cores(partial(page, code=code_by_pair()), list(pages.values()))
    return {**files, **dict(zip(pages, texts, strict=True))}


def history_files(
    over_time: Sequence[MachineHistory],
    own: Lang,
    left_out: Sequence[str],
    stems: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The history in both languages and as JSON; nothing where no machine has two runs.

    ``stems`` has the page of each machine's newest run, without the language, where there are such pages.
    """
    if not over_time:
        return {}
    rows = {lang: [machine_rows(h, words_of(lang)) for h in over_time] for lang in LANGS}
    charts = history_charts(rows[own])
    files = {"history.json": history_json(over_time)}
    for lang in LANGS:
        twin: Lang = "en" if lang == "zh" else "zh"
        pages = {machine: _named(stem, lang, own) for machine, stem in (stems or {}).items()}
        files[_named("history", lang, own)] = history_page(
            rows[lang], charts, words_of(lang), pages, Translation(_named("history", twin, own), twin), left_out
        )
    return files


def page_name(view: View, index: int, lang: Lang, own: Lang) -> str:
    """``index.html``, ``index.zh.html``; a run's own name is safe, since its document was checked for it."""
    return _named(_stem(view, index), lang, own)


def data_name(view: View) -> str:
    """The run document beside the pages."""
    return f"{view.run.machine.name}-{view.run.id}.json"


def _stem(view: View, index: int) -> str:
    return "index" if index == 0 else f"{view.run.machine.name}-{view.run.id}"


def _stems(views: Sequence[View]) -> dict[str, str]:
    """The page of each machine's newest run; the views are newest first."""
    return {v.run.machine.name: _stem(v, i) for i, v in reversed(list(enumerate(views)))}


def _named(stem: str, lang: Lang, own: Lang) -> str:
    return f"{stem}.html" if lang == own else f"{stem}.{lang}.html"


def _latest(view: View, history: MachineHistory | None, own: Lang) -> Latest | None:
    if history is None:
        return None
    return Latest(_named("history", view.words.lang, own), lately(history, view.words))
