from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bench.claims import read_claims
from bench.collect import CLAIMS_FILE, ROOT
from bench.results import Machine, Run, read_run
from report.__main__ import main
from report.markdown import headline
from report.readme import BEGIN, END, MarkersError, difference, with_table
from report.select import newest_finished
from report.view import look

Save = Callable[[Run, Path], Path]

TABLES = ("report.md", "report.csv", "report.json")


@pytest.fixture
def results(tmp_path: Path, run: Run, save: Save) -> Path:
    save(run, tmp_path / "results")
    return tmp_path / "results"


@pytest.fixture
def readme(tmp_path: Path) -> Path:
    path = tmp_path / "README.md"
    path.write_text(f"# Title\n\nBefore.\n\n{BEGIN}\nstale\n{END}\n\nAfter.\n", encoding="utf-8")
    return path


def test_build_writes_a_page_and_markdown(
    tmp_path: Path, results: Path, claims_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (results / "bad.json").write_text("{", encoding="utf-8")
    out = tmp_path / "deep" / "site"
    assert main(["build", str(results), "--claims", str(claims_file), "--out", str(out), "--lang", "zh"]) == 0
    assert {p.name for p in out.iterdir()} == {
        "index.html",
        "index.en.html",
        "two-cores-20260102T030405-abcdef0123.json",
        *TABLES,
    }
    assert '<html lang="zh-Hans">' in (out / "index.html").read_text(encoding="utf-8")
    assert "bad.json" in (out / "report.md").read_text(encoding="utf-8")
    said = capsys.readouterr()
    assert "index.html (1 run)" in said.out
    assert "left out:" in said.err


def test_build_links_the_pages_of_several_runs(
    tmp_path: Path, results: Path, claims_file: Path, make_run: Callable[..., Run], save: Save
) -> None:
    machine = Machine(name="gpu-box", cpu="x", cores=8, memory_gib=64, system="Linux")
    save(make_run(machine=machine, id="r2", started="2025-01-01T00:00:00+00:00", points=[]), results)
    out = tmp_path / "site"
    assert main(["build", str(results), "--claims", str(claims_file), "--out", str(out)]) == 0
    pages = {"index.html", "index.zh.html", "gpu-box-r2.html", "gpu-box-r2.zh.html"}
    assert {p.name for p in out.iterdir()} == {
        *pages,
        "two-cores-20260102T030405-abcdef0123.json",
        "gpu-box-r2.json",
        *TABLES,
    }
    assert 'href="gpu-box-r2.html"' in (out / "index.html").read_text(encoding="utf-8")
    assert 'href="index.html"' in (out / "gpu-box-r2.html").read_text(encoding="utf-8")


def test_readme_is_rewritten_and_then_agrees(
    results: Path, claims_file: Path, readme: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["readme", str(results), "--claims", str(claims_file), "--readme", str(readme)]
    assert main([*arguments, "--check"]) == 1
    said = capsys.readouterr()
    assert "-stale" in said.out
    assert "+| `reshape-copies` |" in said.out
    assert "python -m report readme" in said.err
    assert "stale" in readme.read_text(encoding="utf-8")

    assert main(arguments) == 0
    text = readme.read_text(encoding="utf-8")
    assert text.startswith(f"# Title\n\nBefore.\n\n{BEGIN}\n")
    assert text.endswith(f"{END}\n\nAfter.\n")
    assert "| `more-workers` | G 6.1 | Raise num\\_workers | no number | 1.301× slower \\[1.293, 1.306\\] |" in text
    assert "Not measured or broken here: device-hops, pinned-memory, quantise." in text
    assert main([*arguments, "--check"]) == 0

    readme.write_text(text.replace("1.301×", "1.302×"), encoding="utf-8")
    assert main([*arguments, "--check"]) == 1


@pytest.mark.parametrize("text", ["no markers", f"{BEGIN} only", f"{END} swapped {BEGIN}", f"{BEGIN}{END}{BEGIN}{END}"])
def test_a_readme_without_one_place_is_refused(text: str) -> None:
    with pytest.raises(MarkersError):
        with_table(text, "table")


def test_what_cannot_be_done_is_one_line(
    tmp_path: Path, results: Path, claims_file: Path, readme: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    readme.write_text("no markers", encoding="utf-8")
    empty = tmp_path / "empty"
    empty.mkdir()
    claims = ["--claims", str(claims_file)]
    for arguments, told in (
        (["build", str(empty), *claims], "no finished run was found"),
        (["build", str(results), "--claims", str(tmp_path / "none.toml")], "none.toml"),
        (["build", str(results), *claims, "--out", str(readme / "x")], "cannot be written"),
        (["readme", str(results), *claims, "--readme", str(tmp_path / "none.md")], "cannot be read"),
        (["readme", str(results), *claims, "--readme", str(readme)], "put each on a line of its own"),
    ):
        assert main(arguments) == 2
        said = capsys.readouterr()
        assert told in said.err
        assert said.err.count("\n") == 1


def test_the_readme_of_the_project_says_what_the_committed_results_say() -> None:
    """The committed ones only: who has just measured his own machine has a newer run there, and no fault."""
    tracked = subprocess.run(
        ["git", "ls-files", "results/*/run.json"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    committed = [read_run(ROOT / line) for line in tracked.stdout.splitlines()]
    assert committed
    claims = read_claims(CLAIMS_FILE)
    newest_first = sorted((runs[0] for runs in newest_finished(committed)), key=lambda run: run.started, reverse=True)
    table = headline([look(run, claims) for run in newest_first])
    assert difference((ROOT / "README.md").read_text(encoding="utf-8"), table, "README.md") == ""
