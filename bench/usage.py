"""A document's own usage, tried in a fresh process: what became of it on the installed PyTorch."""

from __future__ import annotations

from enum import StrEnum

from bench.collect import Written
from bench.launch import ArmDiedError, Launcher
from bench.memory import memory_allowance
from bench.needs import Here, missing
from bench.noise import cores_for
from bench.results import UsageRecord

SECONDS = 60.0
_DEPRECATIONS = ("DeprecationWarning:", "FutureWarning:", "PendingDeprecationWarning:")


class State(StrEnum):
    """What became of a usage on the installed PyTorch."""

    RUNS = "runs"
    DEPRECATED = "deprecated"
    FAILS = "fails"
    NOT_TRIED = "not tried"


def state(record: UsageRecord) -> State:
    """How the record reads: an exception fails, a warning of deprecation in its category or text is deprecated."""
    if record.reason is not None:
        return State.NOT_TRIED
    if record.outcome != "returns":
        return State.FAILS
    return State.DEPRECATED if deprecations(record) else State.RUNS


def deprecations(record: UsageRecord) -> list[str]:
    """The warnings that announce an end."""
    return [w for w in record.warnings if w.startswith(_DEPRECATIONS) or "deprecat" in w.lower()]


def try_usage(written: Written, device: str, seed: int, here: Here, launcher: Launcher) -> UsageRecord:
    """Run the usage once, in a process of its own. A crash or a hang is a failure like an exception."""
    declared = written.as_written
    record = UsageRecord(claim=declared.claim, where=declared.where, modern=declared.modern, device=device)
    record.reason = missing(declared.needs, device, here)
    if record.reason is None:
        record.outcome, record.warnings = _ask(written, device, seed, launcher)
    return record


def _ask(written: Written, device: str, seed: int, launcher: Launcher) -> tuple[str, list[str]]:
    request = {
        "file": str(written.file),
        "usage": written.name,
        "device": device,
        "seed": seed,
        "cores": cores_for("all"),
        "folder": str(launcher.folder),
    }
    try:
        nursery = launcher.nursery(written.file)
    except ArmDiedError as died:
        return died.reason, []
    try:
        process = nursery.usage(request)
        try:
            answer = process.ask({"do": "use"}, SECONDS, memory_allowance())
        finally:
            process.close()
    except ArmDiedError as died:
        return died.reason, []
    finally:
        nursery.close()
    return answer["outcome"], answer["warnings"]
