"""``python -m report build | history | compare | alert | export | readme``."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Sequence
from pathlib import Path

from bench.claims import Claims, ClaimsError, read_claims
from bench.collect import CLAIMS_FILE
from bench.compare import IncomparableError, compare, exit_code
from bench.results import Run, UnreadableRunError, read_run
from bench.store import RESULTS
from report import alert, compare_outputs, exports
from report.escape import clip, plain
from report.history import histories
from report.junit import junit
from report.markdown import headline
from report.method import method_of
from report.readme import MarkersError, difference, with_table
from report.select import RUN_FILE, Selection, select
from report.site import history_files, site
from report.view import View
from report.words import LANGS, Lang

EXAMPLES = """\
examples:
  python -m report build                     the newest finished run of each machine, into site/
  python -m report build results/my-machine  the newest finished run of that machine
  python -m report build RUN RUN             these runs, side by side
  python -m report history                   what changed for good over all runs in results/
  python -m report compare BASE NEW --fail-on regression
  python -m report alert results --machine my-machine
  python -m report export RUN --format junit --out junit.xml
  python -m report readme --check            exit 1 when README.md's table is not what the results say
"""


FORMATS = {"text": compare_outputs.as_text, "markdown": compare_outputs.as_markdown, "json": compare_outputs.as_json}
EXPORTS = {
    "pytorch-v3": exports.pytorch_v3,
    "bencher": exports.bencher,
    "github-action": exports.github_action,
    "junit": junit,
}


class ReportError(Exception):
    """The command cannot do what was asked; the message says why and what would be right."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    options = parser().parse_args(arguments)
    try:
        claims = read_claims(options.claims)
        if options.command == "compare":
            return compare_runs(options, claims)
        if options.command == "alert":
            return alert_of(options, claims)
        if options.command == "export":
            return export(options, claims)
        chosen = select(options.results, RESULTS, claims, options.lang)
        for line in chosen.left_out:
            print(f"left out: {clip(line)}", file=sys.stderr)
        if options.command == "build":
            return build(chosen, claims, options.out)
        if options.command == "history":
            return history(chosen, options.lang, options.out)
        return readme(chosen, options.readme, options.check)
    except (ReportError, ClaimsError, IncomparableError, UnreadableRunError) as error:
        # Each fault of a claims file has a line of its own.
        print("\n".join(f"report: {plain(line)}" for line in str(error).splitlines()), file=sys.stderr)
        return 2


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(
        prog="python -m report",
        description="Show what the runs under results/ say. Never measures.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = top.add_subparsers(dest="command", required=True)
    build_ = commands.add_parser("build", help="write the pages, the history, and the Markdown report")
    history_ = commands.add_parser("history", help="write the history alone: what changed on each machine over time")
    for command in (build_, history_):
        command.add_argument("--out", type=Path, default=Path("site"), metavar="DIR", help="default: %(default)s/")
    compare_ = commands.add_parser("compare", help="a run against an earlier one: what changed beyond noise")
    compare_.add_argument("base", type=Path, metavar="BASE", help="a run.json, or the folder of one")
    compare_.add_argument("new", type=Path, metavar="NEW", help="the later one")
    compare_.add_argument("--format", choices=tuple(FORMATS), default="text", help="default: %(default)s")
    compare_.add_argument(
        "--fail-on", choices=("verdict", "regression"), help="exit 1 when a verdict changed, or advice lost"
    )
    alert_ = commands.add_parser("alert", help="exit 1, and say it, when two nights running a verdict has changed")
    alert_.add_argument("results", nargs="?", type=Path, default=RESULTS, metavar="RESULTS", help="default: results/")
    alert_.add_argument("--machine", metavar="NAME", help="a folder of RESULTS (default: every one)")
    export_ = commands.add_parser("export", help="a run for another dashboard, with its intervals")
    export_.add_argument("run", type=Path, metavar="RUN", help="a run.json, or the folder of one")
    export_.add_argument("--format", choices=tuple(EXPORTS), required=True)
    export_.add_argument("--out", type=Path, metavar="FILE", help="default: to the terminal")
    readme_ = commands.add_parser("readme", help="rewrite the table between the markers of a README")
    readme_.add_argument("--readme", type=Path, default=Path("README.md"), metavar="FILE", help="default: %(default)s")
    readme_.add_argument("--check", action="store_true", help="change nothing; exit 1 when the table disagrees")
    for command in (build_, history_, readme_):
        command.add_argument(
            "results",
            nargs="*",
            type=Path,
            metavar="RESULTS",
            help="run documents, or folders with such (default: the newest finished run of each machine in results/)",
        )
        command.add_argument("--lang", choices=LANGS, default="en", help="default: %(default)s")
    for command in (build_, history_, readme_, compare_, alert_, export_):
        command.add_argument(
            "--claims", type=Path, default=CLAIMS_FILE, metavar="FILE", help="default: suites/claims.toml"
        )
    return top


def build(chosen: Selection, claims: Claims, out: Path) -> int:
    """Write a site: ``index.html`` for the newest run, a page for every other, each in both languages, and the data."""
    try:
        method = method_of(RESULTS)
    except ValueError as error:
        raise ReportError(str(error)) from error
    files = site(_views(chosen), claims, chosen.left_out, chosen.found, method)
    for name, text in files.items():
        _write(out / name, text)
    runs = len(chosen.runs)
    print(f"report: {out / 'index.html'} ({runs} {'run' if runs == 1 else 'runs'})")
    return 0


def history(chosen: Selection, lang: Lang, out: Path) -> int:
    """Write what changed over time, in both languages; everything in it is derived anew from the runs."""
    over_time = histories(chosen.found)
    if not over_time:
        raise ReportError("no machine has two finished runs; a history begins with the second")
    for name, text in history_files(over_time, lang, chosen.left_out).items():
        _write(out / name, text)
    runs = sum(len(one.runs) for one in over_time)
    changed = sum(len(one.changed) for one in over_time)
    print(f"history: {out / 'history.html'} ({runs} runs, {changed} pairs and points changed)")
    return 0


def compare_runs(options: argparse.Namespace, claims: Claims) -> int:
    """Say what changed between two runs; the exit code is 1 only for what was to be guarded."""
    base, new = _document(options.base), _document(options.new)
    found = compare(base, new, claims)
    print(FORMATS[options.format](found))
    return exit_code(found, options.fail_on)


def alert_of(options: argparse.Namespace, claims: Claims) -> int:
    """Say what two nights running say has changed; the exit code is 1 when there is such."""
    folders = [options.results / options.machine] if options.machine else sorted(options.results.glob("*/"))
    absent = [str(f) for f in (folders or [options.results]) if not f.is_dir()]
    if absent:
        raise ReportError(f"{absent[0]} is no folder of runs; measure with: pytest --benchmark")
    number = alert.NEW_NIGHTS + alert.OLD_NIGHTS
    found = [alert.judge_nights(alert.newest_nights(f, number), f.name, claims) for f in folders]
    for one in found:
        print(alert.as_markdown(one) if isinstance(one, alert.Alert) else plain(f"{one.machine}: {one.why}"))
    return int(any(isinstance(one, alert.Alert) for one in found))


def export(options: argparse.Namespace, claims: Claims) -> int:
    """Write a run in another format."""
    text = EXPORTS[options.format](_document(options.run), claims)
    if options.out is None:
        print(text, end="")
        return 0
    _write(options.out, text)
    print(f"export: {options.out}")
    return 0


def _document(path: Path) -> Run:
    return read_run(path / RUN_FILE if path.is_dir() else path)


def readme(chosen: Selection, path: Path, check: bool) -> int:
    """Rewrite the README's table, or with ``check`` say what would change."""
    table = headline(_views(chosen))
    text = _read(path)
    try:
        changes = difference(text, table, str(path))
        wanted = with_table(text, table)
    except MarkersError as error:
        raise ReportError(f"{path} {error}") from error
    if check and changes:
        print(changes)
        print(f"{path} does not say what the results say; run: python -m report readme", file=sys.stderr)
        return 1
    if changes:
        _write(path, wanted)
    print(f"{path}: {'rewritten' if changes else 'agrees with the results'}")
    return 0


def _views(chosen: Selection) -> tuple[View, ...]:
    if not chosen.views:
        raise ReportError("no finished run was found; measure with: pytest --benchmark")
    return chosen.views


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ReportError(f"{path} is not UTF-8 text") from error
    except OSError as error:
        raise ReportError(f"{path} cannot be read ({error.strerror})") from error


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise ReportError(f"{path} cannot be written ({error.strerror})") from error


if __name__ == "__main__":
    # What is imported stays to the end; looking through it for garbage would take longer than reading the runs.
    gc.freeze()
    sys.exit(main())
