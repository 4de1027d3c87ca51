"""A machine over time: what is found in nightly runs, what is said of it, and that its pages are safe and the same."""

from __future__ import annotations

import json
import re
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench.claims import Claims, read_claims
from bench.collect import CLAIMS_FILE
from bench.results import Environment, Machine, PointRecord, Run
from bench.verdict import Verdict, judge_run
from report.__main__ import main
from report.digest import Digest, digest_of, read_digests
from report.history import MachineHistory, Track, histories
from report.history_page import history_charts, history_page
from report.history_rows import machine_rows
from report.select import oldest_first, select
from report.site import site
from report.words import words_of
from tests.report import many_runs
from tests.report.test_outputs import Tags

Save = Callable[[Run, Path], Path]
Nights = Callable[..., list[Digest]]
OLD, NEW = Environment(python="3.12", torch="2.14.1"), Environment(python="3.12", torch="2.15.0")


@pytest.fixture
def nights(make_run: Callable[..., Run], make_controls: Callable[..., list[PointRecord]], claims: Claims) -> Nights:
    """``nights(records, …)``: a digest for every night's list of records, in turn; a fault of the controls by night."""

    def made(records: list[list[PointRecord]], failing: tuple[int, ...] = (), **fields: Any) -> list[Digest]:
        found = []
        for i, points in enumerate(records):
            given = {name: value[i] if isinstance(value, list) else value for name, value in fields.items()}
            run = make_run(
                id=f"night-{i:02d}",
                started=f"2026-03-{i + 1:02d}T02:00:00+00:00",
                points=[*make_controls(same=1.2 if i in failing else 1.0), *points],
                **given,
            )
            found.append(digest_of(run, Path(f"{run.id}.json"), claims))
        return found

    return made


@pytest.fixture
def stepping(nights: Nights, make_record: Callable[..., PointRecord]) -> MachineHistory:
    """Ten nights: one pair loses its gain with a new torch on the sixth, another does not change."""
    records = [
        [
            make_record("tensors/reshape-copies", "reshape-copies", 0.7 if i < 5 else 1.0, seed=i),
            make_record("data/more-workers", "more-workers", 1.3, seed=100 + i),
        ]
        for i in range(10)
    ]
    (found,) = histories(nights(records, environment=[OLD] * 5 + [NEW] * 5))
    return found


def track(history: MachineHistory, claim: str) -> Track:
    (found,) = [t for t in history.tracks if t.key.claim == claim]
    return found


def page_of(history: MachineHistory, lang: str = "en", **fields: Any) -> str:
    words = words_of(lang)
    rows = [machine_rows(history, words)]
    return history_page(rows, history_charts(rows), words, **fields)


def test_a_digest_says_what_the_run_says(run: Run, claims: Claims) -> None:
    digest = digest_of(run, Path("run.json"), claims)
    judged = {v.claim.id: v for v in judge_run(run, claims)}
    assert digest.verdicts == {name: v.verdict for name, v in judged.items() if v.records}
    for reading in digest.readings:
        (j,) = [j for j in judged[reading.key.claim].deciding if j.point.id == reading.key.point]
        assert (reading.verdict, reading.interval) == (j.verdict, j.change)
    assert digest.failed == (("quantise", "deploy/quantise", "cpu"),)


def test_a_step_is_found_with_what_changed_around_it(stepping: MachineHistory) -> None:
    changed = track(stepping, "reshape-copies")
    (change,) = changed.changes
    assert (change.last, change.at) == (4, 5)
    assert (change.before, change.after) == (Verdict.CONFIRMED, Verdict.NO_EFFECT)
    assert change.around == (("torch", "2.14.1", "2.15.0"),)
    assert stepping.changed == (changed,)
    assert stepping.unchanged == (track(stepping, "more-workers"),)


def test_the_page_tells_date_size_verdict_and_what_changed_with_it(stepping: MachineHistory) -> None:
    text = " ".join(" ".join(Tags(page_of(stepping)).shown).split())
    for told in (
        "10 runs from 2026-03-01 to 2026-03-10; 1 of 2 pairs and points changed.",
        "2026-03-06: from 1.43",
        "over 5 runs",
        "worse than before",
        "Verdict: CONFIRMED → NO EFFECT.",
        "Changed with it: torch 2.14.1 → 2.15.0.",
        "Pairs and points without a change (1)",
        "BACKFIRES ×10",
    ):
        assert told in text, told


def test_a_step_that_nothing_explains_says_so(nights: Nights, make_record: Callable[..., PointRecord]) -> None:
    records = [[make_record("a/b", "set-to-none", 1.0 if i < 4 else 1.2, seed=i)] for i in range(8)]
    (found,) = histories(nights(records))
    assert "Nothing recorded changed with it." in page_of(found)


def test_unchanged_nights_report_nothing(nights: Nights, make_record: Callable[..., PointRecord]) -> None:
    records = [
        [make_record(f"a/p{k}", "set-to-none", 0.9, seed=100 * i + k, sd=0.03) for k in range(10)] for i in range(8)
    ]
    (found,) = histories(nights(records))
    assert found.changed == ()
    assert len(found.unchanged) == 10


def test_a_pair_that_breaks_for_two_nights_has_changed(nights: Nights, make_record: Callable[..., PointRecord]) -> None:
    def night(i: int, broken: bool) -> PointRecord:
        record = make_record("tensors/reshape-copies", "reshape-copies", 0.7, seed=i)
        if not broken:
            return record
        return record.model_copy(update={"status": "broken", "timing": None, "metrics": [], "reason": "it raises"})

    (found,) = histories(nights([[night(i, i >= 4)] for i in range(6)]))
    (change,) = track(found, "reshape-copies").changes
    assert (change.at, change.before, change.after) == (4, Verdict.CONFIRMED, Verdict.BROKEN)
    assert change.step is None
    assert "2026-03-05: verdict CONFIRMED → BROKEN." in page_of(found)
    (found,) = histories(nights([[night(i, i == 4)] for i in range(6)]))
    assert track(found, "reshape-copies").changes == ()


def test_an_outcome_that_turns_has_changed(nights: Nights, make_pairs: Callable[[], list[PointRecord]]) -> None:
    def night(fixed: bool) -> PointRecord:
        (record,) = [p for p in make_pairs() if p.pair == "autograd/second-backward"]
        if fixed:
            record.outcomes["anti_pattern"] = ["returns"]
        return record

    (found,) = histories(nights([[night(i >= 3)] for i in range(5)]))
    (change,) = track(found, "second-backward").changes
    assert (change.at, change.before, change.after) == (3, Verdict.CONFIRMED, Verdict.NO_EFFECT)
    assert "<svg" not in page_of(found)


def test_what_the_clock_says_in_a_run_with_failed_controls_is_left_out(
    nights: Nights, make_record: Callable[..., PointRecord]
) -> None:
    records = [[make_record("a/b", "set-to-none", 1.0, seed=i)] for i in range(5)]
    (found,) = histories(nights(records, failing=(1, 3)))
    assert found.withheld == 2
    assert track(found, "set-to-none").runs == (0, 2, 4)
    assert "In 2 of these runs the controls failed" in page_of(found)


def test_smoke_unfinished_and_single_runs_make_no_history(
    nights: Nights, make_record: Callable[..., PointRecord]
) -> None:
    records = [[make_record("a/b", "set-to-none", 1.0, seed=i)] for i in range(3)]
    assert histories(nights(records, profile=["quick", "smoke", "smoke"])) == []
    assert histories(nights(records, finished=["2026-03-01T03:00:00+00:00", None, None])) == []
    assert histories(nights(records[:1])) == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_charts_are_sound_and_their_text_has_the_numbers(stepping: MachineHistory, lang: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        text = page_of(stepping, lang)
    (chart,) = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    told = ET.fromstring(chart).findtext("{http://www.w3.org/2000/svg}desc") or ""
    assert "1.43" in told
    assert "2.15.0" in told
    assert not re.search("#0[1-5]0[1-5]0[1-5]", chart)
    tags = Tags(text).tags
    ids = [a["id"] for _, a in tags if "id" in a]
    assert len(ids) == len(set(ids))
    links = [a["href"] for tag, a in tags if tag == "a"]
    assert {link[1:] for link in links if link and link.startswith("#")} <= set(ids)
    labels = [name for _, a in tags for name in (a.get("aria-labelledby") or "").split()]
    assert set(labels) <= set(ids)
    assert not [tag for tag, _ in tags if tag in ("script", "link", "img", "iframe")]


def test_hostile_text_stays_text_in_the_history(
    nights: Nights, make_record: Callable[..., PointRecord], make_pairs: Callable[[], list[PointRecord]], hostile: str
) -> None:
    (score,) = [p for p in make_pairs() if p.pair == "training/smoothing-accuracy"]
    score.metrics = [score.metrics[0].model_copy(update={"unit": hostile, "name": hostile})]
    score.values = {hostile: score.values["accuracy"]}
    records = [
        [
            make_record(hostile, "set-to-none", 1.0 if i < 4 else 1.5, seed=i, device=hostile),
            make_record("a/huge", "more-workers", 1.0, seed=i),
            score,
        ]
        for i in range(8)
    ]
    for record in (night[1] for night in records[4:]):
        for k, replicate in enumerate(record.timing.replicates if record.timing else []):
            replicate.host = _wild(k)
    around = [Environment(python="3", torch=hostile, packages={hostile: "1"})] * 4 + [OLD] * 4
    (found,) = histories(nights(records, environment=around))
    assert found.changed
    text = page_of(found, left_out=(hostile,), pages={"two-cores": "index.html"})
    assert "<script" not in text
    assert "alert(1)" in text
    assert not [c for c in text if c in "\u202e\u202c\x1b\x00"]
    for chart in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        ET.fromstring(chart)


def _wild(i: int) -> dict[str, list[float]]:
    """Times at the ends of what a document may hold."""
    return {"anti_pattern": [9e6] * 6, "recommended": [1e-300 * (i + 1)] * 6}


def test_versions_are_set_against_each_other_whose_verdicts_differ_apart(stepping: MachineHistory) -> None:
    table = machine_rows(stepping, words_of("en")).versions
    assert table is not None
    assert table.versions == ("2.14.1", "2.15.0")
    assert table.dates == ("2026-03-05", "2026-03-10")
    assert [row.claim for row in table.alike] == ["more-workers"]
    (row,) = table.differing
    assert row.claim == "reshape-copies"
    before, after = row.cells
    assert before is not None
    assert after is not None
    assert (before.word, after.word) == ("CONFIRMED", "NO EFFECT")
    assert "faster" in before.lines[0]


def test_one_version_is_no_table(nights: Nights, make_record: Callable[..., PointRecord]) -> None:
    records = [[make_record("a/b", "set-to-none", 1.0, seed=i)] for i in range(3)]
    (found,) = histories(nights(records))
    assert machine_rows(found, words_of("en")).versions is None
    cuda = nights(records, device=["cuda", "cpu", "cpu"], environment=[NEW, OLD, OLD])
    assert machine_rows(histories(cuda)[0], words_of("en")).versions is None


@pytest.fixture(scope="module")
def long_history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty runs of two made-up machines, as the script of that name makes a thousand."""
    folder = tmp_path_factory.mktemp("long") / "results"
    many_runs.write(folder, many_runs.history(2, 20, 12, read_claims(CLAIMS_FILE)))
    return folder


def test_many_runs_build_the_newest_pages_and_the_history_the_same_twice(long_history: Path, tmp_path: Path) -> None:
    outs = [tmp_path / name for name in ("one", "two")]
    for out in outs:
        assert main(["build", str(long_history), "--out", str(out)]) == 0
    files = [{p.name: p.read_bytes() for p in out.iterdir()} for out in outs]
    assert files[0] == files[1]
    pages = {name for name in files[0] if name.endswith(".html")}
    assert {"index.html", "index.zh.html", "history.html", "history.zh.html"} < pages
    assert len(pages) == 6
    index = files[0]["index.html"].decode()
    assert "What changed lately on this machine" in index
    ids = {a["id"] for _, a in Tags(files[0]["history.html"].decode()).tags if "id" in a}
    leads = re.findall(r'href="history\.html#([^"]+)"', index)
    assert leads
    assert set(leads) <= ids


def test_a_made_up_history_tells_its_planted_steps(long_history: Path, tmp_path: Path) -> None:
    assert main(["history", str(long_history), "--out", str(tmp_path)]) == 0
    assert {p.name for p in tmp_path.iterdir()} == {"history.html", "history.zh.html", "history.json"}
    for machine in json.loads((tmp_path / "history.json").read_text(encoding="utf-8")):
        runs = {r["id"]: r["torch"] for r in machine["runs"]}
        assert len(runs) == 20
        for changed in machine["changed"]:
            for change in changed["changes"]:
                assert runs[change["last_run"]] != runs[change["run"]]
                assert "torch" in [d["what"] for d in change["differences"]]


def test_a_damaged_run_is_named_in_the_history_and_left_out(
    long_history: Path, tmp_path: Path, claims_file: Path, capsys: pytest.CaptureFixture[str], save: Save, run: Run
) -> None:
    folder = tmp_path / "results"
    save(run, folder)
    save(run.model_copy(update={"id": "second"}), folder)
    (folder / "bad.json").write_text("{", encoding="utf-8")
    out = tmp_path / "out"
    assert main(["history", str(folder), "--claims", str(claims_file), "--out", str(out)]) == 0
    assert "bad.json" in (out / "history.html").read_text(encoding="utf-8")
    assert "left out" in capsys.readouterr().err


def test_a_history_needs_two_runs(
    tmp_path: Path, claims_file: Path, capsys: pytest.CaptureFixture[str], save: Save, run: Run, claims: Claims
) -> None:
    save(run, tmp_path)
    assert main(["history", str(tmp_path), "--claims", str(claims_file), "--out", str(tmp_path / "out")]) == 2
    assert "a history begins with the second" in capsys.readouterr().err
    chosen = select([tmp_path], tmp_path, claims)
    assert not [name for name in site(chosen.views, claims, [], chosen.found) if name.startswith("history")]


def test_many_files_are_read_in_their_order(long_history: Path) -> None:
    claims = read_claims(CLAIMS_FILE)
    paths = sorted(long_history.rglob("run.json"), reverse=True)
    found = read_digests([*paths, long_history / "none.json"], claims)
    digests = [d for d in found if isinstance(d, Digest)]
    assert [d.path for d in digests] == paths
    assert len(found) == len(digests) + 1
    assert [d.started for d in oldest_first(digests)] == sorted(d.started for d in digests)


def test_machines_are_told_apart(nights: Nights, make_record: Callable[..., PointRecord]) -> None:
    records = [[make_record("a/b", "set-to-none", 1.0, seed=i)] for i in range(4)]
    boxes = [Machine(name=n, cpu="x", cores=1, memory_gib=1, system="Linux") for n in ("a", "b", "a", "b")]
    found = histories(nights(records, machine=boxes))
    assert [(one.machine.name, len(one.runs)) for one in found] == [("a", 2), ("b", 2)]
    assert "Too few runs to tell a step from noise" in page_of(found[0])
