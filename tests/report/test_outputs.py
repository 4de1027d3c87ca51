"""The page, the chart, the Markdown and the tables: honest, safe, the same twice, and in need of nothing else."""

from __future__ import annotations

import base64
import hashlib
import re
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from bench.claims import Claims
from bench.results import Machine, Point, PointRecord, Run, UsageRecord
from report import tables
from report.escape import clip, markdown, markdown_code, plain
from report.forest import forest
from report.markdown import document, headline
from report.page import Link, Page, page
from report.view import look
from report.words import Lang


class Tags(HTMLParser):
    """Every tag with its attributes, and the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.shown: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.shown.append(data)


@pytest.fixture(scope="module")
def built(run: Run, claims: Claims) -> str:
    return page(Page(look(run, claims), (Link("other.html", "another run"),), ("results/x.json: not a run document",)))


@pytest.fixture
def hostile_run(make_run: Callable[..., Run], make_pairs: Callable[[], list[PointRecord]], hostile: str) -> Run:
    points = make_pairs()
    for point in points:
        point.reason = point.reason and hostile
        point.notes, point.said = [hostile], [hostile]
        point.warnings = {hostile: [hostile]}
        for metric in point.metrics:
            if metric.comparison == "difference":
                metric.unit = hostile
    points[0].point = Point(axis=hostile, value=hostile)
    points[3].pair = hostile
    used = UsageRecord(
        claim=hostile, where=hostile, device=hostile, outcome=hostile, modern=hostile, warnings=[hostile]
    )
    machine = Machine(name="m", cpu=hostile, cores=1, memory_gib=1, system=hostile)
    return make_run(
        points=points, machine=machine, started=hostile, command=[hostile], notes=[hostile], as_written=[used]
    )


def test_the_page_shows_what_was_measured(built: str) -> None:
    text = " ".join(" ".join(Tags(built).shown).split())
    for told in (
        "1.433× faster [1.428, 1.438]",
        "1.301× slower",
        "−31.0 % peak memory",
        "points of accuracy",
        "2-3 times faster",
        "better, but short of the promised 2-3 times faster",
        'pytest --benchmark -k "reshape-copies"',
        "measured on cpu, the claim is about cuda",
        "needs CUDA",
        "ImportError: no torchao",
        "no arm can read",
        "nobody-measures-me",
        "results/x.json: not a run document",
        "another run",
    ):
        assert told in text


def test_every_output_says_what_became_of_the_documents_own_usage(built: str, run: Run, claims: Claims) -> None:
    for text in (" ".join(Tags(built).shown), document([look(run, claims)], [])):
        told = " ".join(text.split())
        for part in ("FutureWarning: torch.cuda.amp.autocast is deprecated", "raises ImportError: gone", "needs CUDA"):
            assert part.replace(".", "") in told.replace(".", "").replace("\\", "")
        for state in ("runs", "runs, deprecated", "fails", "not tried"):
            assert state in told


def test_contradictions_come_with_the_numbers_that_show_them(run: Run, claims: Claims) -> None:
    measured, written, never = look(run, claims).contradictions
    assert [(j.point, j.metric) for j in measured.shown if j.arm == "recommended"] == [
        ("tensors/reshape-copies[rows=4096]", "time"),
        ("training/set-to-none", "time"),
    ]
    assert measured.usages == ()
    assert [(u.claim, u.word) for u in written.usages] == [("amp-faster", "runs, deprecated"), ("quantise", "fails")]
    assert never.shown == never.usages == ()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_needs_nothing_and_its_anchors_resolve(run: Run, claims: Claims, lang: Lang) -> None:
    tags = Tags(page(Page(look(run, claims, lang)))).tags
    assert not [tag for tag, _ in tags if tag in ("link", "img", "iframe", "object", "embed", "base")]
    loads = [v for _, a in tags for k, v in a.items() if k in ("src", "href", "xlink:href", "srcset", "data")]
    assert loads
    assert not [v for v in loads if v is None or not v.startswith("#")]
    ids = [a["id"] for _, a in tags if "id" in a]
    assert len(ids) == len(set(ids))
    assert {v[1:] for v in loads if v} <= set(ids)
    named = [name for _, a in tags for name in (a.get("aria-labelledby") or "").split()]
    assert set(named) <= set(ids)
    assert {c.id for c in claims.claim} <= set(ids)
    assert not [k for _, a in tags for k in a if k.startswith("on")]


def test_no_style_loads_anything(built: str) -> None:
    assert not re.search(r"url\((?!#)|@import", built)


def test_two_builds_are_the_same(run: Run, claims: Claims) -> None:
    def build() -> list[str]:
        view = look(Run.model_validate(run.model_dump(by_alias=True)), claims)
        return [page(Page(view)), document([view], []), headline([view])]

    assert build() == build()


def test_the_chart_is_sound_and_says_its_numbers(run: Run, claims: Claims) -> None:
    view = look(run, claims)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svg = forest(view.claims, view.words)
        chinese = look(run, claims, "zh")
        ET.fromstring(forest(chinese.claims, chinese.words))
    root = ET.fromstring(svg)
    space = "{http://www.w3.org/2000/svg}"
    assert "95 % intervals" in (root.findtext(f"{space}title") or "")
    assert "more-workers: 1.301× slower [1.293, 1.306], BACKFIRES." in (root.findtext(f"{space}desc") or "")
    texts = ["".join(t.itertext()).strip() for t in root.iter(f"{space}text")]
    assert "amp-faster" in texts
    assert "▲" in texts
    assert not re.search("#0[1-5]0[1-5]0[1-5]", svg)


def test_a_value_outside_the_picture_gets_an_arrow(
    make_run: Callable[..., Run], make_record: Callable[..., PointRecord], claims: Claims
) -> None:
    points = [make_record("a/b", "set-to-none", 0.001, seed=1), make_record("a/c", "more-workers", 500, seed=2)]
    view = look(make_run(points=points), claims)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svg = forest(view.claims, view.words)
    ET.fromstring(svg)
    assert "× faster" in svg


def test_a_run_without_ratios_has_no_chart(make_run: Callable[..., Run], claims: Claims) -> None:
    view = look(make_run(points=[]), claims)
    assert forest(view.claims, view.words) == ""
    assert view.words.chart_none in page(Page(view))
    assert view.facts.headline in document([view], [])
    assert headline([view])


def test_the_pages_policy_lets_its_own_script_run_and_no_other(built: str) -> None:
    (script,) = re.findall(r"<script>(.*?)</script>", built, re.DOTALL)
    wanted = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = next(a["content"] for tag, a in Tags(built).tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{wanted}'"


def test_hostile_text_stays_text_on_the_page(hostile_run: Run, claims: Claims, hostile: str) -> None:
    text = page(Page(look(hostile_run, claims), left_out=(hostile,)))
    tags = Tags(text).tags
    assert [tag for tag, _ in tags if tag == "script"] == ["script"]
    assert text.count("<script>") == 1
    assert "alert(1)" in text
    assert "{{ 7*7 }}" in text
    assert not [c for c in text if c in "\u202e\u202c\x1b\x00"]
    ids = [a["id"] for _, a in tags if "id" in a]
    assert len(ids) == len(set(ids))


def test_hostile_text_stays_text_in_markdown(hostile_run: Run, claims: Claims, hostile: str) -> None:
    view = look(hostile_run, claims)
    for text in (document([view], [hostile]), headline([view])):
        assert "<script>" not in text
        assert "-->" not in text
        assert not [c for c in text if c in "\u202e\u202c\x1b\x00"]
        for line in text.splitlines():
            if line.startswith("|"):
                assert len(re.findall(r"(?<!\\)\|", line)) in (6, 7, 8)


def test_escaping() -> None:
    assert plain("a\r\n\tb\u202e\u200b c\ud800") == "a b c"
    assert markdown("a|b `c` <d> & [e](http://f) *g*_h_") == (
        "a\\|b \\`c\\` &lt;d&gt; &amp; \\[e\\](http&#58;//f) \\*g\\*\\_h\\_"
    )
    assert markdown("c:\\x|") == "c:\\\\x\\|"
    assert markdown_code("a`b|c\n") == "`a\u02bcb¦c`"
    assert clip("x" * 20, 5) == "xxxxx… (+15)"


def test_tables_are_the_same_rows_as_data(run: Run, make_run: Callable[..., Run], claims: Claims) -> None:
    found = tables(run, claims)
    assert list(found) == ["claims", "judgements", "controls", "absent", "as_written"]
    by_claim = found["claims"].set_index("claim")
    assert by_claim.loc["amp-faster", "verdict"] == "WEAKER"
    assert by_claim.loc["more-workers", "measured"] == "1.301× slower [1.293, 1.306]"
    judged = found["judgements"]
    assert set(judged[~judged["decides"]]["claim"]) == {"reshape-copies", "checkpoint-memory", "device-hops"}
    fast = judged[(judged["claim"] == "reshape-copies") & judged["decides"]].iloc[0]
    assert fast["times_better"] == pytest.approx(1 / 0.7, rel=0.02)
    assert fast["n"] == 12
    assert len(found["controls"]) == 4
    assert list(found["absent"]["status"]) == ["not measured", "broken"]
    empty = tables(make_run(points=[]), claims)
    assert [list(empty[k].columns) for k in empty] == [list(found[k].columns) for k in found]
