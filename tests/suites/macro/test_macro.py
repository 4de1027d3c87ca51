import os
from pathlib import Path
from typing import Any

import pytest
import torch

from bench import Pair
from suites.macro import ladder, ladder_cuda, ladder_text, loss_history, torch_compile
from suites.workloads.texts import PACKAGES
from tests.suites.points import build, results

pytest.importorskip("sklearn")
for package in PACKAGES:
    pytest.importorskip(package)


@pytest.mark.parametrize("loop", ["training", "validation"])
def test_what_is_kept_of_the_losses_changes_none(tmp_path: Path, loop: str) -> None:
    results(loss_history.PAIR, tmp_path, loop)


@pytest.mark.parametrize(("pair", "value"), [(ladder.PAIR, "photographs"), (ladder_text.PAIR, "text")])
def test_every_arm_of_a_ladder_trains_alike(tmp_path: Path, pair: Pair[Any], value: str) -> None:
    results(pair, tmp_path, value)


# Of n practices there are n - 1 rungs below the whole and n - 1 arms that lack one, besides the two ends.
@pytest.mark.parametrize(("pair", "practices"), [(ladder.PAIR, 5), (ladder_cuda.PAIR, 9), (ladder_text.PAIR, 4)])
def test_a_ladder_has_the_arms_of_its_practices(pair: Pair[Any], practices: int) -> None:
    assert len(pair.ladder) == practices - 1
    assert len(pair.arms) == 2 * practices


@pytest.mark.parametrize("cache", ["kept", "fresh"])
def test_compiled_code_goes_where_the_point_says(tmp_path: Path, cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", "elsewhere")
    monkeypatch.setenv("TORCHPROOF_CACHE", str(tmp_path / "own"))
    build(torch_compile.PAIR, tmp_path, cache, "recommended")
    wanted = {"kept": tmp_path / "own" / f"torch-{torch.__version__}" / "compiled", "fresh": tmp_path / "recommended"}
    assert os.environ["TORCHINDUCTOR_CACHE_DIR"] == str(wanted[cache])
