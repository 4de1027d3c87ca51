"""The page in a real browser: links, filters, languages, narrow and wide, dark, printed, and without JavaScript."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bench.claims import Claims
from bench.results import Environment, Machine, PointRecord, Run
from report.digest import digest_of
from report.site import site
from report.view import look

CHROMIUM = shutil.which("chromium")
if CHROMIUM is None:
    pytest.skip("needs Chromium: apt-get install chromium", allow_module_level=True)
sync_api = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install playwright")

PAGES = ["index.html", "index.zh.html", "history.html", "history.zh.html"]
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def folder(
    run: Run,
    claims: Claims,
    make_run: Callable[..., Run],
    make_record: Callable[..., PointRecord],
    make_controls: Callable[[], list[PointRecord]],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """A site of two machines; the first has eight nights, of which the last four are slower with a newer torch."""
    other = make_run(
        id="20260101T000000-abcdef0123",
        machine=Machine(name="other-box", cpu="Another Processor", cores=8, memory_gib=32, system="Linux x86_64"),
        environment=Environment(python="3.12.1", torch="2.11.0+cpu"),
    )
    out = tmp_path_factory.mktemp("site")
    nights = [
        make_run(
            id=f"night-{i}",
            started=f"2025-12-0{i + 1}T02:00:00+00:00",
            points=[
                make_record("tensors/reshape-copies", "reshape-copies", 0.7 if i < 4 else 1.0, seed=i),
                make_record("data/more-workers", "more-workers", 1.3, seed=100 + i),
                *make_controls(),
            ],
            environment=Environment(python="3.12.1", torch="2.14.0" if i < 4 else "2.14.1"),
        )
        for i in range(8)
    ]
    found = [digest_of(night, Path(f"{night.id}.json"), claims) for night in nights]
    views = [look(run, claims), look(other, claims)]
    for name, text in site(views, claims, ["results/x.json: not a run"], found).items():
        (out / name).write_text(text, encoding="utf-8")
    return out


@pytest.fixture(scope="module")
def browser() -> Iterator[sync_api.Browser]:
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


Open = Callable[..., "sync_api.Page"]


@pytest.fixture
def open_page(browser: sync_api.Browser, folder: Path) -> Iterator[Open]:
    """``open_page(name="index.html", **context)``; any error that the page logs fails the test."""
    contexts, errors = [], []

    def open_named(name: str = "index.html", **options: object) -> sync_api.Page:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto((folder / name.split("?")[0]).as_uri() + (f"?{name.split('?')[1]}" if "?" in name else ""))
        return page

    yield open_named
    for context in contexts:
        context.close()
    assert errors == []


def shown(page: sync_api.Page) -> list[str]:
    return page.eval_on_selector_all("#_table tbody tr", "rows => rows.filter(r => !r.hidden).map(r => r.id)")


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_somewhere(open_page: Open, folder: Path, name: str) -> None:
    page = open_page(name)
    links = page.eval_on_selector_all("a[href]", "links => links.map(a => a.getAttribute('href'))")
    assert len(links) > (20 if name.startswith("index") else 2)
    for link in set(links):
        where = urlsplit(link)
        if where.path:
            assert (folder / where.path).is_file(), link
            assert not where.fragment or f'id="{where.fragment}"' in (folder / where.path).read_text(encoding="utf-8")
        else:
            assert page.locator(f"[id='{where.fragment}']").count() == 1, link
    ids = page.eval_on_selector_all("[id]", "all => all.map(e => e.id)")
    assert len(ids) == len(set(ids))


def test_filters_and_search_choose_rows_and_stay_in_the_address(open_page: Open) -> None:
    page = open_page()
    everything = shown(page)
    page.select_option("select[name=verdict]", "backfires")
    assert shown(page) == ["more-workers"]
    assert "verdict=backfires" in page.url
    assert "1 of 11" in page.inner_text("#_shown")
    page.reload()
    assert shown(page) == ["more-workers"]
    page.click("button[type=reset]")
    assert shown(page) == everything
    page.fill("input[name=q]", "mixed precision")
    assert shown(page) == ["amp-faster"]
    page.fill("input[name=q]", "no such words")
    assert shown(page) == []


def test_rows_are_sorted_both_ways(open_page: Open) -> None:
    page = open_page()
    page.click("th[data-sort=gain] button")
    gains = page.eval_on_selector_all("#_table tbody tr", "rows => rows.map(r => r.dataset.gain).filter(Boolean)")
    assert [float(g) for g in gains] == sorted(float(g) for g in gains)
    assert page.get_attribute("th[data-sort=gain]", "aria-sort") == "ascending"
    page.click("th[data-sort=gain] button")
    assert page.get_attribute("th[data-sort=gain]", "aria-sort") == "descending"
    ids = shown(page)
    page.click("th[data-sort=id] button")
    assert shown(page) == sorted(ids)


def test_an_address_shows_what_it_says(open_page: Open) -> None:
    assert shown(open_page("index.html?topic=checkpoint")) == ["checkpoint-memory"]


def test_a_link_to_a_claims_details_opens_them(open_page: Open) -> None:
    page = open_page()
    page.click("#reshape-copies code a")
    page.wait_for_selector("#_claim_reshape-copies[open]", timeout=5000)


def test_the_languages_lead_to_each_other(open_page: Open) -> None:
    page = open_page()
    assert page.get_attribute("html", "lang") == "en"
    page.click("header a[hreflang=zh]")
    assert page.get_attribute("html", "lang") == "zh-Hans"
    assert "在这台机器上先做这些" in page.inner_text("main")
    page.click("header a[hreflang=en]")
    assert page.get_attribute("html", "lang") == "en"


@pytest.mark.parametrize("width", [360, 768, 1920])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_scrolls_sideways(open_page: Open, width: int, name: str) -> None:
    page = open_page(name, viewport={"width": width, "height": 900})
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_index_leads_to_what_changed_lately(open_page: Open) -> None:
    page = open_page()
    page.click("header a[href^='history.html#'] >> nth=0")
    assert "history.html#_m-two-cores-0" in page.url
    assert page.locator("#_m-two-cores-0").is_visible()
    assert page.locator("svg.chart").first.is_visible()
    assert "torch 2.14.0 → 2.14.1" in page.inner_text("main")


@pytest.mark.parametrize(("width", "shown", "other"), [(360, ".phone", ".wide"), (1200, ".wide", ".phone")])
def test_a_phone_has_its_own_forest(open_page: Open, width: int, shown: str, other: str) -> None:
    page = open_page(viewport={"width": width, "height": 900})
    assert page.locator(f"{shown} svg").is_visible()
    assert not page.locator(f"{other} svg").is_visible()


def test_dark_and_light_differ(open_page: Open) -> None:
    colours = [
        open_page(color_scheme=scheme).evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    ]
    assert colours[0] != colours[1]


def test_everything_can_be_read_without_javascript(open_page: Open) -> None:
    page = open_page(java_script_enabled=False)
    assert page.locator("#_table tbody tr:visible").count() == 11
    assert not page.locator("#_filters").is_visible()
    page.click("#_claim_reshape-copies summary")
    assert page.locator("#_claim_reshape-copies table").first.is_visible()


def test_print_opens_the_details(open_page: Open) -> None:
    pypdf = pytest.importorskip("pypdf")
    pdf = pypdf.PdfReader(io.BytesIO(open_page(java_script_enabled=False).pdf()))
    text = " ".join(page.extract_text() for page in pdf.pages)
    assert "UserWarning: a slow path was taken" in " ".join(text.split())


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_an_accessibility_check_finds_nothing_serious(open_page: Open, name: str, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = open_page(name, color_scheme=scheme, bypass_csp=True)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    found = axe.run(page).response["violations"]
    serious = [(v["id"], v["nodes"][0]["target"]) for v in found if v["impact"] in ("serious", "critical")]
    assert serious == []
