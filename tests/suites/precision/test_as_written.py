"""What the documents write for mixed precision still runs, and is deprecated."""

from pathlib import Path
from types import ModuleType

import pytest
import torch

from bench import AsWritten, Setup
from suites.precision import (
    amp_memory,
    amp_speed,
    fp32_island,
    grad_scaler,
    scaler_skips_steps,
    unscale_before_clip,
)

MODULES = (amp_memory, amp_speed, fp32_island, grad_scaler, scaler_skips_steps, unscale_before_clip)


def declared(module: ModuleType) -> list[AsWritten]:
    return [value for value in vars(module).values() if isinstance(value, AsWritten)]


@pytest.mark.parametrize("written", [w for m in MODULES for w in declared(m)], ids=lambda w: f"{w.claim}-{w.where}")
def test_the_documents_spelling_is_deprecated(tmp_path: Path, written: AsWritten) -> None:
    assert not list(written.faults())
    with pytest.warns(FutureWarning, match=r"torch\.cuda\.amp\.\w+\(args\.\.\.\)` is deprecated"):
        written.usage(Setup(torch.device("cpu"), tmp_path))
