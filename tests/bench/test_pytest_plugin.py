"""The commands as a user types them, on a small checkout."""

import json
import signal
from pathlib import Path

import psutil
import pytest

from tests.bench.checkout import Checkout, kill_and_wait

SMOKE = ("pytest", "--benchmark", "--profile", "smoke")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_plain_pytest_runs_each_pair_once_and_the_unit_tests(checkout: Checkout) -> None:
    checkout.practice("good")
    checkout.practice("wrong", "lambda x: lambda: x")
    checkout.practice("cuda_only", more=", needs=Needs(cuda=True)")
    checkout.practice("extra", more=', needs=Needs(packages=("nowhere_to_be_found",))')
    code, told = checkout.run("pytest", "-rs")
    assert code == 1
    assert "3 passed" in told
    assert "1 failed" in told
    assert "BROKEN: the arms do not compute the same" in told
    assert "needs nowhere_to_be_found: pip install nowhere_to_be_found" in told
    assert checkout.runs() == []


def test_a_measuring_run_is_written_replayed_to_pytest_benchmark_and_compared(checkout: Checkout) -> None:
    checkout.practice("good")
    checkout.practice("dead", "lambda x: lambda: os.kill(os.getpid(), signal.SIGSEGV)")
    options = ("--benchmark-json=out.json", "--benchmark-histogram=histogram", "--benchmark-save=one")
    code, told = checkout.run(*SMOKE, *options)
    assert code == 1
    (run,) = checkout.runs()
    assert run.finished is not None
    status = {p.pair: p.status for p in run.points}
    assert status["tensors/good"] == "measured"
    assert status["tensors/dead"] == "broken"
    assert sum(p.role == "control" for p in run.points) == 5
    assert "benchmark 'tensors/good': 2 tests" in told
    assert "BROKEN tensors/dead: died of SIGSEGV" in told
    assert f"results/{run.machine.name}/{run.id}/run.json" in told
    saved = json.loads((checkout.folder / "out.json").read_text())["benchmarks"]
    assert [b["name"] for b in saved] == ["tensors/good(anti_pattern)", "tensors/good(recommended)"]
    recorded = next(p for p in run.points if p.pair == "tensors/good").timing
    assert recorded is not None
    samples = [s for r in recorded.replicates for s in r.host["recommended"]]
    assert saved[1]["stats"]["data"] == pytest.approx(samples)
    assert saved[1]["group"] == "tensors/good"
    assert list(checkout.folder.glob("histogram*.svg"))
    code, told = checkout.run(*SMOKE, "--benchmark-compare", "-k", "good")
    assert code == 0
    assert "machine_info is different" not in told
    assert "(0001_one)" in told


@pytest.mark.slow
def test_killed_run_leaves_no_process_and_is_gone_on_with_and_nothing_is_measured_twice(
    checkout: Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (temporary := tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    for i in range(4):
        checkout.practice(f"pair_{i}", "lambda x: (clock.sleep(0.3), once(x))[1]")
    process = checkout.start(*SMOKE)
    checkout.wait_for_points(3)
    family = psutil.Process(process.pid).children(recursive=True)
    kill_and_wait(process)
    _, alive = psutil.wait_procs(family, timeout=10)
    assert alive == []
    assert list(temporary.glob("torchproof-*")) == []
    (cut,) = checkout.runs()
    assert cut.finished is None
    before = {p.id + p.turn: p for p in cut.points}
    assert 3 <= len(before) < 9
    code, told = checkout.run(*SMOKE, "--resume")
    assert code == 0, told
    (whole,) = checkout.runs()
    assert whole.finished is not None
    assert len(whole.points) == len({p.id + p.turn for p in whole.points}) == 9
    assert {p.id + p.turn: p for p in whole.points if p.id + p.turn in before} == before


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_run_keeps_what_landed_and_leaves_no_process(checkout: Checkout, number: signal.Signals) -> None:
    for i in range(4):
        checkout.practice(f"pair_{i}", "lambda x: (clock.sleep(0.5), once(x))[1]")
    process = checkout.start(*SMOKE)
    checkout.wait_for_points(2)
    family = psutil.Process(process.pid).children(recursive=True)
    told = kill_and_wait(process, number)
    (cut,) = checkout.runs()
    assert cut.finished is None
    assert "not finished; go on with: pytest --benchmark --profile smoke --resume" in told
    _, alive = psutil.wait_procs(family, timeout=10)
    assert alive == []


@pytest.mark.slow
def test_budget_ends_the_run_and_says_what_was_left(checkout: Checkout) -> None:
    for i in range(8):
        checkout.practice(f"pair_{i}", "lambda x: (clock.sleep(1.0), once(x))[1]")
    code, _ = checkout.run(*SMOKE, "--budget", "8s")
    assert code == 0
    (run,) = checkout.runs()
    cut = [p for p in run.points if p.status == "not measured"]
    assert cut
    assert all((p.reason or "").startswith("budget: ") for p in cut)


WRONG_OPTIONS = {
    ("--budget", "soon"): "--budget: 'soon' is no budget; write it like 90s, 8m or 1.5h",
    ("--device", "cuda"): "--device cuda: this machine has cpu",
    ("--resume",): "no unfinished run under results/",
    ("--resume", "pyproject.toml"): "not a run document",
    ("--results", "blocked"): "cannot be written to",
    ("-k", "nothing-of-that-name"): "the selection holds no pair; see python -m bench list",
}


def test_a_wrong_option_is_one_line_and_no_success(checkout: Checkout) -> None:
    checkout.practice("good")
    checkout.write("blocked", "a file where a folder should be")
    started = {told: checkout.start(*SMOKE, *arguments) for arguments, told in WRONG_OPTIONS.items()}
    for told, process in started.items():
        said, _ = process.communicate(timeout=120)
        assert process.returncode != 0
        assert told in said
        assert "Traceback" not in said


def test_a_faulty_declaration_is_told_at_collection(checkout: Checkout) -> None:
    checkout.practice("faulty", more=', name="no.dots"')
    code, told = checkout.run("pytest")
    assert code != 0
    assert "tensors/no.dots has '.' in its id" in told
    assert "Traceback" not in told


def test_budget_without_benchmark_is_refused(checkout: Checkout) -> None:
    code, told = checkout.run("pytest", "--budget", "1m")
    assert code != 0
    assert "--budget belongs to --benchmark" in told
