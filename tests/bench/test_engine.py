"""Arms that cheat, break things or die: each gets the right verdict or a clear BROKEN, and the next is measured."""

import json
import os
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from bench.collect import load_pairs
from bench.launch import Launcher
from bench.measure import Measurement
from bench.profiles import QUICK, SMOKE
from bench.results import PointRecord
from bench.verdict import Verdict, judge_point
from tests.bench.conftest import HEADER, MeasurePair

HONEST = "PAIR = pair(work)"


def verdict_on_time(record: PointRecord) -> Verdict:
    return next(j.verdict for j in judge_point(record) if j.metric.kind == "time")


@pytest.fixture
def _the_next_pair_is_measured(measure: MeasurePair) -> object:
    yield
    assert measure(HONEST).status == "measured"


@pytest.mark.usefixtures("_the_next_pair_is_measured")
def test_skipped_work_is_a_different_result(measure: MeasurePair) -> None:
    record = measure("PAIR = pair(lambda x: lambda: x)")
    assert record.status == "broken"
    assert "do not compute the same" in (record.reason or "")
    assert "differs by up to" in (record.reason or "")


@pytest.mark.usefixtures("_the_next_pair_is_measured")
def test_cached_result_is_found_when_the_inputs_change(measure: MeasurePair) -> None:
    record = measure("""
        def cached(x):
            kept = []
            def step():
                if not kept:
                    kept.append(x @ x)
                return kept[0]
            return step
        PAIR = pair(cached)
    """)
    assert record.status == "broken"
    assert "after the inputs changed" in (record.reason or "")


def test_result_made_at_set_up_is_found_when_the_inputs_change(measure: MeasurePair) -> None:
    record = measure("""
        def ahead(x):
            ready = x @ x
            return lambda: ready.clone()
        PAIR = pair(ahead)
    """)
    assert "after the inputs changed" in (record.reason or "")


def test_declared_preparation_at_set_up_is_no_cheat(measure: MeasurePair) -> None:
    record = measure("""
        def prepared(x):
            y = x.clone()
            return lambda: y @ y
        PAIR = pair(prepared, inputs_read="at set-up")
    """)
    assert record.status == "measured"


def test_lazy_result_is_refused(measure: MeasurePair) -> None:
    record = measure("PAIR = pair(lambda x: lambda: (x @ x for _ in range(1)))")
    assert record.status == "broken"
    assert "generator" in (record.reason or "")
    assert "no value yet" in (record.reason or "")


def test_lazy_tensor_subclass_is_refused(measure: MeasurePair) -> None:
    record = measure("""
        class Later(Tensor):
            pass
        PAIR = pair(lambda x: lambda: (x @ x).as_subclass(Later))
    """)
    assert "Later" in (record.reason or "")


@pytest.mark.usefixtures("_the_next_pair_is_measured")
def test_changed_inputs_are_named(measure: MeasurePair) -> None:
    record = measure("PAIR = pair(lambda x: lambda: (x @ x, x.add_(1))[0])")
    assert record.status == "broken"
    assert "recommended changed its inputs" in (record.reason or "")


@pytest.mark.usefixtures("_the_next_pair_is_measured")
def test_leaked_flag_does_not_reach_the_other_arm(measure: MeasurePair) -> None:
    """The recommended arm switches gradients off for good; the anti-pattern must still record its graph."""
    record = measure("""
        def graph(x):
            w = torch.ones(8, 8, dtype=torch.float32, requires_grad=True)
            return lambda: float((x @ w).requires_grad)
        def leak(x):
            torch.set_grad_enabled(False)
            torch.set_default_dtype(torch.float64)
            return graph(x)
        PAIR = pair(leak, anti_pattern=graph, same=may_differ("grad", because="one leaks"), metrics=(
            count(lambda r: r, "graphs kept"), time))
    """)
    assert record.status == "measured"
    assert set(record.values["graphs kept"].by_arm["anti_pattern"]) == {1.0}
    assert set(record.values["graphs kept"].by_arm["recommended"]) == {0.0}


@pytest.mark.usefixtures("_the_next_pair_is_measured")
def test_printing_megabytes_harms_nobody(measure: MeasurePair, capfd: pytest.CaptureFixture[str]) -> None:
    record = measure("""
        def loud(x):
            def step():
                print("x" * 100_000, flush=True)
                return x @ x
            return step
        PAIR = pair(loud)
    """)
    assert record.status == "measured"
    assert "xxx" not in capfd.readouterr().out


@pytest.mark.usefixtures("_the_next_pair_is_measured")
def test_segfault_is_contained_and_named(measure: MeasurePair) -> None:
    record = measure("""
        def crash(x):
            def step():
                import ctypes
                print("last words", flush=True)
                ctypes.string_at(0)
            return step
        PAIR = pair(crash)
    """)
    assert record.status == "broken"
    assert record.reason == "died of SIGSEGV"
    assert any("last words" in line for line in record.said)
    assert any("in step" in line for line in record.said)


@pytest.mark.usefixtures("_the_next_pair_is_measured")
def test_hang_is_ended_by_its_timeout(measure: MeasurePair) -> None:
    record = measure("PAIR = pair(lambda x: lambda: clock.sleep(600), timeout=1.5)")
    assert record.status == "broken"
    assert record.reason == "did not answer within 1.5 s"


@pytest.mark.usefixtures("_the_next_pair_is_measured")
def test_memory_hog_is_ended_by_its_limit(measure: MeasurePair) -> None:
    record = measure("""
        def hog(x):
            def step():
                kept = []
                while True:
                    kept.append(torch.ones(1 << 22))
                    clock.sleep(0.005)
            return step
        PAIR = pair(hog, memory_limit_gib=1.0)
    """)
    assert record.status == "broken"
    assert "GiB of memory > 1.0 GiB allowed" in (record.reason or "")


def test_exception_shows_its_last_lines(measure: MeasurePair) -> None:
    record = measure("PAIR = pair(lambda x: lambda: x @ torch.ones(3, 3))")
    assert record.status == "broken"
    assert (record.reason or "").startswith("recommended raises RuntimeError")


def test_exception_that_cannot_be_pickled_is_told_like_any_other(measure: MeasurePair) -> None:
    record = measure("""
        class Odd(Exception):
            def __reduce__(self):
                raise TypeError("no")
        def odd(x):
            raise Odd("in the factory")
        PAIR = pair(odd)
    """)
    assert record.status == "broken"
    assert "Odd: in the factory" in (record.reason or "")


@pytest.mark.usefixtures("_the_next_pair_is_measured")
def test_closed_pipes_are_noticed(measure: MeasurePair) -> None:
    record = measure("""
        def close_everything(x):
            def step():
                os.closerange(0, 256)
                clock.sleep(60)
            return step
        PAIR = pair(close_everything)
    """)
    assert record.status == "broken"
    assert "closed its pipes" in (record.reason or "")


def test_exit_inside_a_step_is_no_success(measure: MeasurePair) -> None:
    record = measure("PAIR = pair(lambda x: lambda: os._exit(0))")
    assert record.status == "broken"
    assert "exit code 0" in (record.reason or "")


@pytest.mark.usefixtures("_the_next_pair_is_measured")
def test_children_do_not_outlive_their_arm(measure: MeasurePair, tmp_path: Path) -> None:
    note = tmp_path / "pids"
    measure(f"""
        def parent(x):
            pid = os.fork()
            if pid == 0:
                clock.sleep(600)
            with open({str(note)!r}, "a") as file:
                file.write(f"{{pid}}\\n")
            return lambda: x @ x
        PAIR = pair(parent)
    """)
    pids = [int(line) for line in note.read_text().split()]
    assert pids
    deadline = time.monotonic() + 10
    while any(_alive(p) for p in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [p for p in pids if _alive(p)]


@pytest.mark.usefixtures("_the_next_pair_is_measured")
def test_killed_fork_server_breaks_one_pair_only(measure: MeasurePair, launcher: Launcher) -> None:
    record = measure("""
        def killer(x):
            def step():
                nursery = os.getppid()
                import psutil
                os.kill(psutil.Process(nursery).ppid(), signal.SIGKILL)
                clock.sleep(5)
            return step
        PAIR = pair(killer)
    """)
    assert record.status == "broken"


@pytest.mark.usefixtures("_the_next_pair_is_measured")
def test_pair_that_cannot_be_imported_in_the_nursery_is_broken(measure: MeasurePair) -> None:
    record = measure(f"""
        if os.getpid() != {os.getpid()}:
            raise ImportError("not here")
        PAIR = pair(work)
    """)
    assert record.status == "broken"
    assert "ImportError: not here" in (record.reason or "")


def test_arm_that_fails_late_takes_nothing_of_what_it_gave(launcher: Launcher, tmp_path: Path) -> None:
    """The interval is wide on purpose, so that a second look is due; by then the arm's file is gone and it raises."""
    (tmp_path / "topic").mkdir()
    (allowed := tmp_path / "allowed").write_text("")
    (built := tmp_path / "built").write_text("")
    # Every second process is twenty times slower, far beyond what a busy machine can make up for.
    source = f"""
def fragile(x):
    with open({str(built)!r}, "a") as file:
        print(file=file)
        pause = 0.02 if file.tell() % 2 else 0.001
    def step():
        clock.sleep(pause)
        open({str(allowed)!r})
        return x @ x
    return step
PAIR = pair(fragile)
"""
    (file := tmp_path / "topic" / "late.py").write_text(HEADER + source)
    measurement = Measurement(load_pairs(file)[0], None, "cpu", replace(SMOKE, looks=(2, 4)), 0, launcher)
    measurement.begin(time.monotonic() + 60)
    assert measurement.excess > 1
    allowed.unlink()
    measurement.extend(time.monotonic() + 60)
    record = measurement.record()
    assert record.status == "measured"
    assert record.timing is not None
    assert len(record.timing.replicates) >= 2
    assert "no further replicates: ended with exit code 1: FileNotFoundError" in record.notes[0]
    assert measurement.excess == 0


def test_replicates_take_turns_on_fork_servers_of_different_chance(measure: MeasurePair, tmp_path: Path) -> None:
    record = measure(
        f"""
        def noted(x):
            with open({str(tmp_path / "hashes")!r}, "a") as file:
                file.write(f"{{hash('a word')}}\\n")
            return lambda: x @ x
        PAIR = pair(noted)
        """,
        replace(SMOKE, looks=(4,), slow_looks=(4,), servers=2),
    )
    assert record.timing is not None
    assert [r.server for r in record.timing.replicates] == [0, 1, 0, 1]
    assert len(set((tmp_path / "hashes").read_text().split())) == 2


def test_environment_belongs_to_one_arm(measure: MeasurePair) -> None:
    record = measure("""
        def flag(x):
            return lambda: float(os.environ.get("TORCHPROOF_TEST", "0"))
        PAIR = pair(flag, anti_pattern=flag, same=may_differ("flag", because="it is set for one"),
                    metrics=(count(lambda r: r, "flag"),), environment={"recommended": {"TORCHPROOF_TEST": "7"}})
    """)
    assert record.values["flag"].by_arm == {"anti_pattern": [0.0, 0.0], "recommended": [7.0, 7.0]}


def test_outcome_is_recorded_and_judged(measure: MeasurePair) -> None:
    record = measure("""
        def raises(x):
            def step():
                x.expand(8, 8).view(3)
            return step
        PAIR = pair(work, anti_pattern=raises, metrics=(outcome, time))
    """)
    assert record.outcomes["recommended"] == ["returns", "returns"]
    assert record.outcomes["anti_pattern"][0].startswith("raises RuntimeError: shape '[3]' is invalid")
    judged = {j.metric.kind: j for j in judge_point(record)}
    assert judged["outcome"].verdict is Verdict.CONFIRMED
    assert judged["time"].verdict is Verdict.NOT_MEASURED


def test_warnings_of_an_arm_are_kept(measure: MeasurePair) -> None:
    record = measure("""
        def old(x):
            import warnings
            warnings.warn("use the new form", DeprecationWarning)
            return work(x)
        PAIR = pair(old)
    """)
    assert record.warnings["recommended"] == ["DeprecationWarning: use the new form"]


def test_memory_is_counted_in_exact_bytes(measure: MeasurePair) -> None:
    """8x8 floats are 256 bytes: one product asks for 256, a chain of two for 512, and both are alive at its end."""
    record = measure("""
        def twice(x):
            return lambda: (x @ x) @ x
        PAIR = pair(twice, same=may_differ("product", because="it is a test"), metrics=(allocated, peak_memory))
    """)
    assert record.values["allocated per step"].by_arm == {"anti_pattern": [256, 256], "recommended": [512, 512]}
    peaks = record.values["peak memory"].by_arm
    assert peaks["recommended"][0] - peaks["anti_pattern"][0] == 256


def test_size_is_what_a_step_left_in_its_folder(measure: MeasurePair) -> None:
    record = measure("""
        def place(setup):
            return setup.folder
        def write(n):
            return lambda folder: lambda: (folder / "file").write_bytes(b"x" * n) and None
        PAIR = pair(write(30), inputs=place, anti_pattern=write(100), metrics=(size,))
    """)
    assert record.values["size on disk"].by_arm == {"anti_pattern": [100.0, 100.0], "recommended": [30.0, 30.0]}


def test_twice_the_work_is_found_and_written_down(measure: MeasurePair) -> None:
    record = measure(
        """
        def matrix(setup):
            torch.manual_seed(setup.seed)
            return torch.randn(256, 256)
        def once(x):
            return lambda: x @ x
        def twice(x):
            return lambda: (x @ x, x @ x)[1]
        PAIR = pair(once, inputs=matrix, anti_pattern=twice, metrics=(time, first_step, device_time))
        """,
        QUICK,
    )
    assert verdict_on_time(record) is Verdict.CONFIRMED
    assert record.timing is not None
    assert len(record.timing.replicates) in record.timing.looks
    first = record.timing.replicates[0]
    assert set(first.host) == {"anti_pattern", "recommended"}
    assert {len(s) for s in first.host.values()} == {len(first.orders)}
    assert set(first.orders) <= {"01", "10"}
    judged = {j.metric.kind: j for j in judge_point(record)}
    assert judged["device_time"].why == "cpu has no clock of its own"
    json.loads(record.model_dump_json())


def _alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_the_budget_ends_an_arm_that_goes_on_and_on(measure: MeasurePair) -> None:
    record = measure("PAIR = pair(lambda x: lambda: clock.sleep(15))", budget_s=1.0)
    assert record.status == "not measured"
    assert record.reason is not None
    assert record.reason.startswith("budget: it ended after")
