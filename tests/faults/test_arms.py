"""Arms that die, starve, litter or babble: one clear line, the next pair is measured, and nothing is left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent

import psutil
import pytest

from bench import needs, noise
from bench.launch import LONGEST_LOG, Launcher
from bench.results import read_run
from bench.store import write
from tests.bench.conftest import MeasurePair
from tests.bench.runs import make_run
from tests.faults.limits import cpu_group, memory_group

HONEST = "PAIR = pair(work)"
# A child that leaves its session and will not be asked to end.
DAEMON = """
def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        clock.sleep(600)
"""


@pytest.fixture
def _the_next_pair_is_measured(measure: MeasurePair) -> Iterator[None]:
    yield
    assert measure(HONEST).status == "measured"


def when_noted(note: Path, act: Callable[[psutil.Process], None]) -> threading.Thread:
    """Wait for an arm to note its process id, then ``act`` on it."""

    def wait_and_act() -> None:
        deadline = time.monotonic() + 30
        while not (note.exists() and note.read_text().endswith("\n")):
            if time.monotonic() > deadline:
                return
            time.sleep(0.01)
        act(psutil.Process(int(note.read_text())))

    thread = threading.Thread(target=wait_and_act)
    thread.start()
    return thread


def parent_of(process: psutil.Process) -> psutil.Process:
    found = process.parent()
    assert found is not None
    return found


VICTIMS: dict[str, tuple[Callable[[psutil.Process], psutil.Process], str]] = {
    "arm": (lambda arm: arm, "died of SIGKILL (the kernel may have run out of memory)"),
    "nursery": (parent_of, "died with the process that had forked it, which was killed"),
    "fork server": (
        lambda arm: parent_of(parent_of(arm)),
        "died with the process that had forked it, which was killed",
    ),
}


@pytest.mark.parametrize("who", VICTIMS)
@pytest.mark.usefixtures("_the_next_pair_is_measured")
def test_kill_9_of_any_process_breaks_one_pair_only(who: str, measure: MeasurePair, tmp_path: Path) -> None:
    victim, reason = VICTIMS[who]
    thread = when_noted(note := tmp_path / "pid", lambda arm: victim(arm).kill())
    record = measure(
        DAEMON
        + dedent(f"""
        def waits(x):
            daemon()
            def step():
                with open({str(note)!r}, "w") as file:
                    file.write(f"{{os.getpid()}}\\n")
                clock.sleep(30)
            return step
        PAIR = pair(waits)
    """)
    )
    thread.join()
    assert record.status == "broken"
    assert record.reason == reason


@pytest.mark.parametrize("who", ["nursery", "fork server"])
@pytest.mark.usefixtures("_the_next_pair_is_measured")
def test_a_process_that_is_stopped_and_not_killed_breaks_one_pair_only(
    who: str, measure: MeasurePair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.launch.FORK_SECONDS", 1.0)
    monkeypatch.setattr("bench.launch.END_SECONDS", 1.0)
    find, _ = VICTIMS[who]
    thread = when_noted(note := tmp_path / "pid", lambda arm: find(arm).suspend())
    record = measure(
        dedent(f"""
        def stops_it(x):
            def step():
                with open({str(note)!r}, "w") as file:
                    file.write(f"{{os.getpid()}}\\n")
                clock.sleep(0.2)
                return x @ x
            return step
        PAIR = pair(stops_it)
    """)
    )
    thread.join()
    # Who only forks nurseries is not asked for anything while one lives.
    assert record.status == ("broken" if who == "nursery" else "measured")
    assert (record.reason or "").startswith("the fork server did not answer within" if who == "nursery" else "")


def test_children_that_leave_their_session_do_not_outlive_the_pair(measure: MeasurePair) -> None:
    record = measure(
        DAEMON
        + dedent("""
        import subprocess
        def parent(x):
            daemon()
            subprocess.Popen(["sleep", "600"], start_new_session=True)
            subprocess.Popen(["sh", "-c", "trap '' TERM; sleep 600; sleep 600"])
            return lambda: x @ x
        PAIR = pair(parent)
    """)
    )
    assert record.status == "measured"


def test_what_an_arm_leaves_in_the_temporary_folder_goes_with_the_run(measure: MeasurePair, launcher: Launcher) -> None:
    record = measure("""
        import tempfile
        def litterer(x):
            folder = tempfile.mkdtemp()
            return lambda: print(folder) or 1 / 0
        PAIR = pair(litterer)
    """)
    assert Path(record.said[0]).is_relative_to(launcher.folder)


def test_the_kernel_out_of_memory_is_told(measure: MeasurePair) -> None:
    with memory_group(400 * 2**20) as joined:
        record = measure(f"""
            def hog(x):
                def step():
                    with open({str(joined)!r}, "w") as file:
                        file.write(str(os.getpid()))
                    return [bytearray(os.urandom(1)) * (1 << 24) for _ in range(100)]
                return step
            PAIR = pair(hog)
        """)
    assert record.status == "broken"
    assert record.reason == "died of SIGKILL (the kernel may have run out of memory)"


def test_a_containers_limit_is_all_the_memory_there_is() -> None:
    with memory_group(limit := 400 * 2**20) as joined:
        asks = f"""
import os
open({str(joined)!r}, "w").write(str(os.getpid()))
from bench.memory import memory_here
print(memory_here().total, memory_here().free)
"""
        told = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True).stdout
    total, free = map(float, told.split())
    assert total == limit
    assert 0 < free < limit


def test_a_limit_on_memory_is_an_exception_with_its_words(measure: MeasurePair) -> None:
    record = measure("""
        import resource
        def hog(x):
            def step():
                used = int(open("/proc/self/statm").read().split()[0]) * 4096
                resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 26),) * 2)
                return torch.ones(1 << 28)
            return step
        PAIR = pair(hog)
    """)
    assert record.status == "broken"
    assert (record.reason or "").startswith("recommended raises RuntimeError: ")
    assert "memory" in (record.reason or "")


def test_megabytes_on_both_outputs_do_not_fill_the_disk(measure: MeasurePair) -> None:
    record = measure("""
        def loud(x):
            def step():
                for _ in range(24):
                    os.write(1, b"x" * (1 << 20))
                    os.write(2, bytes(range(256)) * (1 << 12))
                clock.sleep(0.6)
                return float(os.fstat(1).st_size)
            return step
        PAIR = pair(loud, same=may_differ("size", because="one prints"), metrics=(count(lambda r: r, "log"),),
                    anti_pattern=lambda x: lambda: 0.0)
    """)
    assert record.status == "measured"
    assert all(size is not None and size <= LONGEST_LOG for size in record.values["log"].by_arm["recommended"])


def test_what_no_document_can_hold_is_told_in_what_it_can(measure: MeasurePair, tmp_path: Path) -> None:
    """An undecodable file name is a lone surrogate in Python, and none in JSON."""
    record = measure("""
        import warnings
        class Odd(Exception):
            pass
        def odd(x):
            warnings.warn("a \\udcff file")
            def step():
                raise Odd("no \\udcff file \\x00 \\x1b[31m")
            return step
        PAIR = pair(odd, metrics=(outcome,))
    """)
    assert record.outcomes["recommended"] == ["raises Odd: no ? file \x00", "raises Odd: no ? file \x00"]
    assert record.warnings["recommended"] == ["UserWarning: a ? file"]
    write(make_run([record]), path := tmp_path / "run.json")
    assert read_run(path).points == [record]


def test_an_exception_that_can_be_neither_pickled_nor_printed(measure: MeasurePair) -> None:
    record = measure("""
        class Odd(Exception):
            def __reduce__(self):
                raise TypeError("no")
            def __str__(self):
                raise ValueError("no words either")
        def odd(x):
            def step():
                raise Odd
            return step
        PAIR = pair(odd)
    """)
    assert record.status == "broken"
    assert record.reason


def test_shared_memory_goes_with_whoever_made_it(measure: MeasurePair) -> None:
    """Named shared memory, and that of tensors handed over by name; neither is given back by the arm itself."""
    record = measure("""
        import torch.multiprocessing as mp
        from multiprocessing.shared_memory import SharedMemory
        def litter(x):
            kept = SharedMemory(create=True, size=1 << 20)
            mp.set_sharing_strategy("file_system")
            tensor = torch.ones(1 << 18).share_memory_()
            return lambda: (kept, tensor, x @ x)[2]
        PAIR = pair(litter)
    """)
    assert record.status == "measured"


LOADER = """
        from torch.utils.data import DataLoader
        def loads(x):
            def step():
                for batch in DataLoader(torch.ones(2, {megabytes} << 18), batch_size=1, num_workers=1):
                    pass
                return x @ x
            return step
        PAIR = pair(loads)
"""


@pytest.mark.usefixtures("_the_next_pair_is_measured")
def test_a_small_shared_memory_breaks_the_pair_that_needs_more(measure: MeasurePair, small_shared_memory: bool) -> None:
    if not small_shared_memory:
        pytest.skip("a /dev/shm of 64 MB needs a mount namespace of its own, which needs root")
    assert measure(LOADER.format(megabytes=4)).status == "measured"
    record = measure(LOADER.format(megabytes=100))
    assert record.status == "broken"
    # Some versions of torch tell that the worker is gone, and some what its last words were.
    assert "DataLoader worker" in (record.reason or "") or "shared memory" in (record.reason or "")


def test_half_a_core_is_measured_as_ever(measure: MeasurePair) -> None:
    with cpu_group(0.5) as joined:
        record = measure(f"""
            def throttled(x):
                with open({str(joined)!r}, "w") as file:
                    file.write(str(os.getpid()))
                return lambda: x @ x
            PAIR = pair(throttled, anti_pattern=throttled)
        """)
    assert record.status == "measured"


@contextmanager
def reporting(cores: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(os, "cpu_count", lambda: cores or None)
        patch.setattr(os, "sched_getaffinity", lambda pid: set(range(cores)))
        yield


@pytest.mark.parametrize("cores", [0, 1, 64])
def test_any_number_of_reported_cores_is_measured(
    cores: int, measure: MeasurePair, monkeypatch: pytest.MonkeyPatch
) -> None:
    with reporting(cores, monkeypatch):
        assert len(noise.cores_for("one")) == 1
        assert measure('PAIR = pair(work, cores="all")').status == "measured"
        assert needs.look_here().cores == max(1, cores)
