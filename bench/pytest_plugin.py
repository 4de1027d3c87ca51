"""``pytest``: every pair once, tiny. ``pytest --benchmark``: measured, written down, and replayed to pytest-benchmark.

Measuring happens before the items run, since a budget is shared out over all pairs; an item then hands the recorded
durations of one arm to pytest-benchmark, so that its table, JSON, comparison and histogram work as ever.
"""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from bench import baseline, store
from bench.claims import Claims, ClaimsError, read_claims
from bench.collect import CLAIMS_FILE, ROOT, SUITES, DeclarationError, Declared, collect, load_usages, practice_files
from bench.devices import available
from bench.environment import describe_machine
from bench.fake import can_fake_cuda, run_fake
from bench.interrupts import interrupts
from bench.launch import Launcher
from bench.lines import point_line, summary_lines
from bench.measure import Measurement
from bench.needs import look_here
from bench.pair import PointValue
from bench.plan import Budget, Planned, parse_budget, plan_point, points_of, with_controls
from bench.profiles import PROFILES, TINY
from bench.replay import ReplayTimer, nothing
from bench.results import PointRecord, Run, UnreadableRunError, read_run
from bench.run import ResumeError, Runner, check_resumable, new_run
from bench.verdict import check_controls, judge_run

SMOKE_SECONDS = 120.0
IMAGE_FOLDER = "TORCHPROOF_IMAGE_FOLDER"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of a measuring run.

    A folder is given with "=", since pytest looks for pyproject.toml from the paths that stand alone.
    """
    group = parser.getgroup("torchproof", "torchproof: PyTorch advice against its anti-pattern")
    group.addoption("--benchmark", action="store_true", help="measure the pairs instead of running each once, tiny")
    group.addoption("--profile", choices=sorted(PROFILES), default="quick", help="how thorough (default: %(default)s)")
    group.addoption("--budget", metavar="8m", help="end the run in time: 90s, 8m, 1.5h (default: no limit)")
    group.addoption("--device", choices=("auto", "cpu", "cuda"), default="auto", help="default: a GPU if there is one")
    group.addoption("--seed", type=int, default=0, help="of inputs and orders (default: %(default)s)")
    group.addoption(
        "--resume",
        nargs="?",
        const="newest",
        metavar="RUN",
        help="go on with an unfinished run: a run.json, or this machine's newest",
    )
    group.addoption(
        "--baseline",
        nargs="?",
        const=baseline.NEWEST,
        metavar="RUN",
        help="say at the end what changed against a run: its run.json, or this machine's newest whole one",
    )
    group.addoption(
        "--image-folder",
        metavar="DIR",
        help="your own JPEG files for the vision workload, as --image-folder=DIR; its subfolders are classes",
    )
    group.addoption(
        "--results",
        metavar="DIR",
        default=str(store.RESULTS),
        help="where runs are kept, as --results=DIR (default: results/)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Check the options that argparse cannot, before anything is collected."""
    config.stash[_SESSION] = Session(config)
    if config.getoption("benchmark") and getattr(config.option, "numprocesses", None):
        raise pytest.UsageError("--benchmark measures one pair at a time; leave out -n")
    images = config.getoption("image_folder")
    if images is not None:
        if not any(Path(images).glob("*/*.jp*g")):
            raise pytest.UsageError(f"--image-folder {images}: no JPEG file in any of its subfolders")
        # The arms live in processes of their own, and inherit it.
        os.environ[IMAGE_FOLDER] = str(Path(images).resolve())
    for option in ("resume", "budget", "baseline"):
        if config.getoption(option) and not config.getoption("benchmark"):
            raise pytest.UsageError(f"--{option} belongs to --benchmark; give both")


@pytest.hookimpl(optionalhook=True)
def pytest_benchmark_update_machine_info(machine_info: dict[str, Any]) -> None:
    """Keep what does not change from run to run, or every comparison warns of a different machine."""
    cpu = machine_info.get("cpu") or {}
    machine_info["cpu"] = {k: v for k, v in cpu.items() if k in ("brand_raw", "arch", "count")}


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The files of ``suites/`` declare pairs."""
    if file_path.suffix == ".py" and file_path in parent.config.stash[_SESSION].files:
        return PracticeFile.from_parent(parent, path=file_path)
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A measuring run measures only: the unit tests are left to plain pytest."""
    if config.getoption("benchmark"):
        others = [i for i in items if not isinstance(i, PracticeItem)]
        if others:
            config.hook.pytest_deselected(items=others)
            items[:] = [i for i in items if isinstance(i, PracticeItem)]


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """Measure everything that was selected, then let the items replay it."""
    config = session.config
    uncollected = session.testsfailed and not config.option.continue_on_collection_errors
    if config.getoption("benchmark") and not config.option.collectonly and session.items and not uncollected:
        config.stash[_SESSION].measure([i for i in session.items if isinstance(i, PracticeItem)])
    return (yield)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """The verdicts' counts, the run's path and what to do with it; on an empty selection, what would be right."""
    session = config.stash[_SESSION]
    if session.run is not None:
        terminalreporter.section("torchproof")
        for line in session.summary():
            terminalreporter.write_line(line)
    elif config.getoption("benchmark") and not config.option.collectonly and not terminalreporter.stats.get("error"):
        terminalreporter.write_line("nothing to measure: the selection holds no pair; see python -m bench list")


class Session:
    """What one pytest run knows: the options, the claims, and the run document once it measures."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.files = frozenset(practice_files(SUITES))
        self.run: Run | None = None
        self.path: Path | None = None
        self._base: Run | None = None
        self._claims: Claims | None = None
        self._launcher: Launcher | None = None
        self._here = look_here()

    @property
    def claims(self) -> Claims:
        """The claims file, read once. Raises pytest.UsageError with every fault of it."""
        if self._claims is None:
            try:
                self._claims = read_claims(CLAIMS_FILE)
            except ClaimsError as error:
                raise pytest.UsageError(str(error)) from error
        return self._claims

    @property
    def device(self) -> str:
        """The device of the run. Raises pytest.UsageError when there is none such."""
        wanted = str(self._config.getoption("device"))
        if wanted == "auto":
            return available()[0]
        if wanted not in available():
            raise pytest.UsageError(f"--device {wanted}: this machine has {', '.join(available())}")
        return wanted

    @property
    def profile(self) -> str:
        """Tiny unless measuring."""
        return str(self._config.getoption("profile")) if self._config.getoption("benchmark") else TINY.name

    def plan(self, declared: Declared, value: PointValue | None) -> Planned:
        """A point as this run would measure it."""
        return plan_point(declared, value, self.device, self._here, self.claims.by_id())

    def launcher(self) -> Launcher:
        """The fork servers of the tiny runs, kept for the whole session."""
        if self._launcher is None:
            self._launcher = Launcher()
            self._config.add_cleanup(lambda: self._launcher.__exit__(None, None, None) if self._launcher else None)
        return self._launcher

    def measure(self, items: Sequence[PracticeItem]) -> None:
        """Carry out a run for the selected items."""
        budget = Budget.starting_now(self._budget_seconds())
        points = list({i.planned.id: i.planned for i in items}.values())
        usages = [u for file in dict.fromkeys(p.declared.file for p in points) for u in load_usages(file)]
        reporter = self._config.pluginmanager.get_plugin("terminalreporter")
        self._base = self._read_baseline()
        fresh = self._fresh_run(budget.seconds)
        path = self._path_of(fresh)
        known = self.claims.by_id()

        def tell(planned: Planned, record: PointRecord, after: str) -> None:
            if reporter is not None:
                reporter.ensure_newline()
                reporter.write_line(point_line(record, known, after))

        try:
            with store.held(path), interrupts() as check:
                self.run, self.path = self._resumed(path, fresh), path
                Runner(self.run, path, budget, tell, check).carry_out(with_controls(points, self.device), usages)
        except store.StoreError as error:
            raise pytest.UsageError(str(error)) from error

    def record(self, planned: Planned) -> PointRecord | None:
        """What the run has on a point."""
        assert self.run is not None
        found = (p for p in self.run.points if p.device == planned.device and p.id + p.turn == planned.id)
        return next(found, None)

    def summary(self) -> list[str]:
        """The lines at the end of a measuring run."""
        assert self.run is not None
        assert self.path is not None
        lines = summary_lines(self.run, judge_run(self.run, self.claims), check_controls(self.run))
        if self.run.finished is None:
            lines.append(f"not finished; go on with: {self._command_to_resume(self.path)}")
        if self._base is not None:
            lines += baseline.changes(self._base, self.run, self.claims)
        lines += [f"run: {_shown(self.path)}", f"report: python -m report build {_shown(self.path)}"]
        return lines

    def _read_baseline(self) -> Run | None:
        wanted = self._config.getoption("baseline")
        if wanted is None:
            return None
        try:
            folder = Path(self._config.getoption("results")).resolve()
            return baseline.read_baseline(wanted, describe_machine().name, folder)
        except baseline.BaselineError as error:
            raise pytest.UsageError(f"--baseline: {error}") from error

    def _command_to_resume(self, path: Path) -> str:
        """This command again, since a run is gone on with as it was begun."""
        said = [str(a) for a in self._config.invocation_params.args]
        resumed = self._config.getoption("resume")
        said = [a for a in said if a not in ("--resume", f"--resume={resumed}", resumed)]
        return shlex.join(["pytest", *said, f"--resume={_shown(path)}"])

    def _fresh_run(self, budget_s: float | None) -> Run:
        command = ["pytest", *(str(a) for a in self._config.invocation_params.args)]
        return new_run(self.profile, self._config.getoption("seed"), self.device, budget_s, self._partial, command)

    def _path_of(self, fresh: Run) -> Path:
        """Where this run is written: a place of its own, or that of the run it goes on with."""
        folder = Path(self._config.getoption("results")).resolve()
        wanted = self._config.getoption("resume")
        if not wanted:
            return store.place(fresh, folder)
        path = store.unfinished(fresh.machine.name, folder) if wanted == "newest" else Path(wanted).resolve()
        if path is None:
            raise pytest.UsageError(f"--resume: no unfinished run under {_shown(folder / fresh.machine.name)}")
        if not path.is_file():
            raise pytest.UsageError(f"--resume: there is no file {path}; give the run.json of an unfinished run")
        return path

    def _resumed(self, path: Path, fresh: Run) -> Run:
        """The run to carry out: the old one when it is resumed, as it stands now that nobody else writes it."""
        if not self._config.getoption("resume"):
            return fresh
        try:
            old = read_run(path)
            check_resumable(old, fresh)
        except (UnreadableRunError, ResumeError) as error:
            raise pytest.UsageError(f"--resume: {error}") from error
        return old.model_copy(update={"finished": None, "budget_s": fresh.budget_s})

    @property
    def _partial(self) -> bool:
        """Whether the command chose among the pairs."""
        option = self._config.option
        return bool(option.keyword or option.markexpr or option.deselect or option.file_or_dir)

    def _budget_seconds(self) -> float | None:
        text = self._config.getoption("budget")
        if text is None:
            return None
        try:
            return parse_budget(text)
        except ValueError as error:
            raise pytest.UsageError(f"--budget: {error}") from error


_SESSION = pytest.StashKey[Session]()


class PracticeFile(pytest.File):
    """A file of ``suites/``; its items are points, or arms of points when measuring."""

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        """One item per point, or one per arm of it when measuring."""
        session = self.config.stash[_SESSION]
        for declared in self._declared():
            for value in points_of(declared, session.profile):
                planned = session.plan(declared, value)
                if not self.config.getoption("benchmark"):
                    yield PracticeItem.tiny(self, planned)
                    continue
                for arm in declared.pair.arms:
                    yield PracticeItem.replay(self, planned, arm)

    def _declared(self) -> list[Declared]:
        session = self.config.stash[_SESSION]
        try:
            return collect([self.path], session.claims.by_id())
        except DeclarationError as error:
            raise self.CollectError(str(error)) from error


class PracticeItem(pytest.Function):
    """A pair at a point: run once, tiny, or an arm of it replayed."""

    planned: Planned

    @classmethod
    def tiny(cls, parent: PracticeFile, planned: Planned) -> PracticeItem:
        """The pair once at its smoke size: its arms still run and agree."""
        session = parent.config.stash[_SESSION]

        def runs_and_agrees() -> None:
            _run_tiny(planned, session)

        item: PracticeItem = cls.from_parent(parent, name=planned.id, callobj=runs_and_agrees)
        item.planned = planned
        return item

    @classmethod
    def replay(cls, parent: PracticeFile, planned: Planned, arm: str) -> PracticeItem:
        """One arm's recorded samples, handed to pytest-benchmark."""
        session = parent.config.stash[_SESSION]
        timer = ReplayTimer()

        def measured() -> None:
            _require_measured(session.record(planned))

        def replayed(benchmark: Any) -> None:
            record = _require_measured(session.record(planned))
            if record.timing is None:
                pytest.skip("an arm raises, so there is nothing to time")
            timer.load([s for r in record.timing.replicates for s in r.host[arm]])
            benchmark.extra_info["run"] = str(session.path)
            benchmark.pedantic(nothing, rounds=timer.rounds, iterations=1)

        timed = planned.declared.pair.timed
        name = f"{planned.id}({arm})"
        item: PracticeItem = cls.from_parent(parent, name=name, callobj=replayed if timed else measured)
        item.planned = planned
        if timed:
            item.add_marker(pytest.mark.benchmark(group=planned.id, timer=timer))
            # A broken pair has nothing to replay, and says so itself.
            item.add_marker(pytest.mark.filterwarnings("ignore:Benchmark fixture was not used"))
        return item

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Failures point at the declaration."""
        return self.path, self.planned.declared.line - 1, self.name


def _require_measured(record: PointRecord | None) -> PointRecord:
    if record is None:
        pytest.fail("the run ended before this point", pytrace=False)
    if record.status == "broken":
        pytest.fail("\n".join([f"BROKEN: {record.reason}", *record.said]), pytrace=False)
    if record.status == "not measured":
        pytest.skip(f"NOT MEASURED: {record.reason}")
    return record


def _run_tiny(planned: Planned, session: Session) -> None:
    pair = planned.declared.pair
    if planned.blocked and pair.needs.cuda and planned.device == "cpu" and not pair.needs.gpus and can_fake_cuda():
        run_fake(pair, planned.value)
        return
    if planned.blocked:
        pytest.skip(planned.blocked)
    measurement = Measurement(planned.declared, planned.value, planned.device, TINY, 0, session.launcher())
    measurement.begin(time.monotonic() + SMOKE_SECONDS)
    _require_measured(measurement.record())


def _shown(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
