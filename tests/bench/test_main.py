"""``python -m bench`` as a user types it."""

import json
import os
import signal
from pathlib import Path

import pytest

from bench.__main__ import main
from bench.stability import read
from bench.store import write
from tests.bench.checkout import Checkout
from tests.bench.runs import controls, make_run, timed


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    found = Checkout(tmp_path)
    found.practice("good", more=', axis=Axis("n", full=(1, 2), outside=(9,))')
    found.practice("cuda_only", more=", needs=Needs(cuda=True)")
    return found


def test_list_for_machines_has_claims_and_pairs(checkout: Checkout) -> None:
    code, told = checkout.run("bench", "list", "--json")
    assert code == 0
    assert json.loads(told) == {
        "claims": [
            {
                "id": "one",
                "source": "G",
                "section": "2.1",
                "metric": "time",
                "promised": None,
                "pairs": ["tensors/cuda-only", "tensors/good"],
            }
        ],
        "pairs": [
            {"id": "tensors/cuda-only", "claims": ["one"], "metrics": ["time"], "points": [], "needs": {"cuda": True}},
            {"id": "tensors/good", "claims": ["one"], "metrics": ["time"], "points": [1, 2, 9], "needs": {}},
        ],
    }


def test_list_for_people_counts_what_is_covered(checkout: Checkout) -> None:
    code, told = checkout.run("bench", "list")
    assert code == 0
    assert "1 of 1 claims have a pair; 2 pairs" in told


def test_show_prints_the_claim_the_arms_and_how_to_measure(checkout: Checkout) -> None:
    code, told = checkout.run("bench", "show", "tensors/good")
    assert code == 0
    for part in ("claim one (G 2.1): do", "--- anti_pattern", "return lambda: x @ x", '-k "tensors/good"'):
        assert part in told


def test_show_of_an_unknown_pair_names_near_ones(checkout: Checkout) -> None:
    code, told = checkout.run("bench", "show", "data/good")
    assert code == 2
    assert told.strip() == "there is no pair 'data/good'; there are: tensors/good"


def test_doctor_tells_the_machine_the_skips_the_noise_and_the_time(checkout: Checkout) -> None:
    code, told = checkout.run("bench", "doctor", "--profile", "smoke")
    assert code == 0
    for part in (
        "machine: ",
        "not measured here: tensors/cuda-only: needs CUDA",
        "others use",
        "a smoke run takes about",
    ):
        assert part in told


def test_trust_needs_two_comparisons(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trust", "--comparisons", "1"]) == 2
    assert "1 < 2" in capsys.readouterr().err


def test_trust_says_how_to_write_a_budget(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["trust", "--suite", "2", "--budget", "soon"])
    assert "'soon' is no budget; write it like 90s, 8m or 1.5h" in capsys.readouterr().err


def test_trust_counts_the_runs_that_are_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for i in range(2):
        run = make_run([*controls(), timed(0.5, claims=["no-grad"])])
        write(run.model_copy(update={"finished": run.started}), tmp_path / str(i) / "run.json")
    command = ["trust", "--suite", "2", "--results", str(tmp_path)]
    assert main(command) == 0
    assert "2 runs of box" in capsys.readouterr().out
    assert main([*command, "--csv"]) == 0
    assert read(capsys.readouterr().out).runs == 2


def test_trust_that_is_ended_says_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bench.repeat.subprocess.run", lambda *_, **__: os.kill(os.getpid(), signal.SIGTERM))
    assert main(["trust", "--suite", "2", "--results", str(tmp_path)]) == 130
    assert "the same command again goes on" in capsys.readouterr().err


def test_faulty_claims_are_told_in_lines(checkout: Checkout) -> None:
    checkout.write("suites/claims.toml", "[sources]\n")
    code, told = checkout.run("bench", "list")
    assert code == 2
    assert "Field required" in told
    assert "Traceback" not in told
