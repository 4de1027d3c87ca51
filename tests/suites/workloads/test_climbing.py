from dataclasses import replace
from pathlib import Path

import pytest
import torch

from bench import Setup
from suites.workloads import climbing
from suites.workloads.climbing import Practices, following, lacking, rungs
from suites.workloads.practices import Options, Workload

PRACTICES: Practices = {"a": {"pinned": True}, "b": {"fused": True}, "c": {"log_every": 9}}


@pytest.fixture
def followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(climbing, "training", lambda w, options: options)


def workload(folder: Path) -> Workload:
    setup = Setup(torch.device("cpu"), folder)
    return Workload(setup.device, 0, torch.nn.Identity, [], lambda samples, options: samples, torch.optim.SGD)


@pytest.mark.usefixtures("followed")
def test_each_rung_adds_a_practice_and_each_other_arm_lacks_one(tmp_path: Path) -> None:
    w, whole = workload(tmp_path), Options(pinned=True, fused=True, log_every=9)
    assert following({})(w) == Options()
    assert following(PRACTICES)(w) == whole
    assert {name: arm(w) for name, arm in rungs(PRACTICES).items()} == {
        "with_a": Options(pinned=True),
        "with_b": Options(pinned=True, fused=True),
    }
    assert {name: arm(w) for name, arm in lacking(PRACTICES).items()} == {
        "without_a": replace(whole, pinned=False),
        "without_b": replace(whole, fused=False),
    }
