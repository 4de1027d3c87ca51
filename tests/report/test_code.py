from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from bench.collect import load_pairs, practice_files
from report.code import code_by_pair

PRACTICE = """
import torch
from bench import *

SIZE = 4
UNUSED = 5

def inputs(setup):
    return torch.zeros(SIZE)

def helper(x):
    return x + SIZE

@staticmethod
def slow(x):
    return lambda: helper(helper(x))

PAIR = Pair(claims=("c",), inputs=inputs, anti_pattern=slow, recommended=lambda x: lambda: helper(x),
            variants={"other": slow}, same=exactly, metrics=(time,), name="named")
"""


def test_arms_and_what_they_share_are_taken_without_running_the_file(tmp_path: Path) -> None:
    file = tmp_path / "topic" / "practice.py"
    file.parent.mkdir()
    file.write_text(dedent(PRACTICE).replace("import torch", "raise SystemExit"))
    found = code_by_pair([file], root=tmp_path)["topic/named"]
    assert found.file == "topic/practice.py"
    assert list(found.arms) == ["anti_pattern", "recommended", "other"]
    assert found.arms["anti_pattern"].startswith("@staticmethod\ndef slow(x):")
    assert found.arms["recommended"] == "lambda x: lambda: helper(x)"
    assert found.shared.split("\n\n") == [
        "SIZE = 4",
        "def inputs(setup):\n    return torch.zeros(SIZE)",
        "def helper(x):\n    return x + SIZE",
    ]


def test_a_file_that_is_no_python_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("def (")
    assert code_by_pair([file]) == {}


def test_every_pair_of_this_checkout_has_code() -> None:
    code = code_by_pair()
    declared = {d.id: d for file in practice_files() for d in load_pairs(file)}
    assert set(code) == set(declared)
    assert all({"anti_pattern", "recommended"} <= set(c.arms) for c in code.values())
