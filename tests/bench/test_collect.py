"""Every fault of every declaration at once: file, line, pair, fact, fix."""

from pathlib import Path
from textwrap import dedent

import pytest

from bench.claims import Claim
from bench.collect import DeclarationError, collect, load_pairs, practice_files

HEADER = """\
from bench import *
def inputs(setup): return 1
def arm(x): return lambda: x
"""


def claim(metric: str = "time") -> dict[str, Claim]:
    text = {"advice_en": "a", "advice_zh": "b", "source": "G", "section": "1", "topic": "t"}
    return {"known": Claim(id="known", metric=metric, hardware=("cpu",), **text)}  # type: ignore[arg-type]


def write(folder: Path, name: str, body: str) -> Path:
    file = folder / "topic" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(HEADER + dedent(body))
    return file


GOOD = """
PAIR = Pair(claims=("known",), inputs=inputs, anti_pattern=arm, recommended=arm, same=exactly, metrics=(time,))
"""


def test_id_is_topic_and_stem_with_dashes(tmp_path: Path) -> None:
    declared = load_pairs(write(tmp_path, "some_practice.py", GOOD))
    assert [d.id for d in declared] == ["topic/some-practice"]
    assert declared[0].line == 5


def test_all_faults_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    bad = """
    ONE = Pair(claims=("unknown",), inputs=inputs, anti_pattern=arm, recommended=arm, same=exactly,
               metrics=(time, time), timeout=0, name="one")
    TWO = Pair(claims=("known",), inputs=inputs, anti_pattern=lambda: 1, recommended=arm, same=exactly,
               metrics=(allocated,), name="t.w.o", axis=Axis("n", full=()))
    """
    files = [write(tmp_path, "bad.py", bad), write(tmp_path, "good.py", GOOD), write(tmp_path, "one.py", GOOD)]
    with pytest.raises(DeclarationError) as raised:
        collect(files, claim())
    told = str(raised.value)
    for fact in (
        "topic/one names the claim 'unknown', which is not in claims.toml; add the claim or mend the id",
        "topic/one has two metrics called 'time'; give one of them another name=",
        "topic/one has the timeout 0 s",
        "topic/t.w.o has '.' in its id",
        "topic/t.w.o does not measure time, the metric of claim 'known'; add a time metric",
        "topic/t.w.o has the axis 'n' without points",
        "topic/t.w.o has anti_pattern that does not take exactly one argument",
        "topic/one has an id that another pair has",
    ):
        assert fact in told
    assert f"{files[0]}:5: topic/one" in told


def test_the_suites_of_this_checkout_are_without_fault(all_claims: dict[str, Claim]) -> None:
    assert collect(practice_files(), all_claims)


def test_faults_of_usages_are_told_too(tmp_path: Path) -> None:
    bad = """
    ONE = AsWritten(claim="unknown", where="G 1", usage=lambda setup: None)
    TWO = AsWritten(claim="known", where="somewhere", usage=lambda: None)
    THREE = AsWritten(claim="known", where="F 9", usage=lambda setup: None)
    """
    file = write(tmp_path, "bad.py", bad)
    with pytest.raises(DeclarationError) as raised:
        collect([file], claim())
    assert str(raised.value).splitlines() == [
        f"{file}:5: ONE names the claim 'unknown', which is not in claims.toml; mend the id",
        f"{file}:6: TWO is said to stand at 'somewhere'; write document and section, such as G 4.3",
        f"{file}:6: TWO has a usage that does not take exactly one argument; take the Setup",
        f"{file}:6: TWO stands at somewhere, the claim at G 1; mend one of them",
        f"{file}:7: THREE stands at F 9, the claim at G 1; mend one of them",
    ]
