"""A document's own usage, tried: it runs, warns, raises, crashes or hangs, and the run goes on."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from bench import usage
from bench.collect import load_usages
from bench.launch import Launcher
from bench.needs import Here
from bench.results import UsageRecord
from bench.usage import State, state, try_usage

SOURCE = """
import os, signal, time, warnings
import torch
from bench import AsWritten, Needs

def use(setup):
    {body}

AS_WRITTEN = AsWritten(claim="one", where="G 2.1", usage=use{more})
"""

Try = Callable[..., UsageRecord]


@pytest.fixture
def attempt(launcher: Launcher, tmp_path: Path) -> Try:
    """Try a usage whose body is given as source text."""

    def attempt_source(body: str, more: str = "") -> UsageRecord:
        file = tmp_path / "topic" / "practice.py"
        file.parent.mkdir()
        file.write_text(dedent(SOURCE.format(body=body, more=more)))
        (written,) = load_usages(file)
        return try_usage(written, "cpu", 0, Here(cores=2, gpus=0, memory_gib=8.0), launcher)

    return attempt_source


def test_a_usage_that_still_works(attempt: Try) -> None:
    record = attempt("(setup.folder / 'weights').write_text('x')")
    assert (record.claim, record.where, record.outcome, record.warnings) == ("one", "G 2.1", "returns", [])
    assert state(record) is State.RUNS


def test_a_deprecation_is_kept_with_what_to_write_today(attempt: Try) -> None:
    record = attempt("warnings.warn('going away', FutureWarning)", ", modern='torch.amp.autocast()'")
    assert record.warnings == ["FutureWarning: going away"]
    assert record.modern == "torch.amp.autocast()"
    assert state(record) is State.DEPRECATED


def test_a_deprecation_may_be_told_by_its_text_alone(attempt: Try) -> None:
    assert state(attempt("warnings.warn('foo is deprecated, use bar')")) is State.DEPRECATED


def test_a_warning_of_something_else_is_no_deprecation(attempt: Try) -> None:
    record = attempt("warnings.warn('no accelerator found')")
    assert record.warnings == ["UserWarning: no accelerator found"]
    assert state(record) is State.RUNS


def test_a_usage_that_is_gone(attempt: Try) -> None:
    record = attempt("torch.no_such_function()")
    assert record.outcome == "raises AttributeError: module 'torch' has no attribute 'no_such_function'"
    assert state(record) is State.FAILS


def test_a_crash_is_how_it_fails(attempt: Try) -> None:
    record = attempt("os.kill(os.getpid(), signal.SIGSEGV)")
    assert record.outcome == "died of SIGSEGV"
    assert state(record) is State.FAILS


def test_a_hang_is_ended(attempt: Try, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "SECONDS", 0.5)
    record = attempt("time.sleep(60)")
    assert record.outcome == "did not answer within 0.5 s"


def test_what_is_missing_is_why_it_was_not_tried(attempt: Try) -> None:
    record = attempt("raise AssertionError", ", needs=Needs(cuda=True)")
    assert record.reason == "needs CUDA"
    assert state(record) is State.NOT_TRIED
